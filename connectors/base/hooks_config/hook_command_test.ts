import { assertEquals } from "@std/assert";
import { isOurHook, isOurMcp, programName, shellCommand, splitCommand } from "./hook_command.ts";

const LINUX = { os: "linux" } as const;
const WINDOWS = { os: "windows" } as const;
const PYAGENT = { id: "pyagent", binary: "signet-pyagent" };

Deno.test("shellCommand() survives spaces, quotes and dollars in the program's path", async () => {
  for (const dir of ["plain", "with space", 'a"b', "a'b", "cost$HOME", "back`tick`", "back\\slash"]) {
    const home = await Deno.makeTempDir();
    const program = `${home}/${dir}/tool`;
    await Deno.mkdir(`${home}/${dir}`);
    await Deno.writeTextFile(program, '#!/bin/sh\nprintf "%s|" "$@"\n', { mode: 0o755 });
    const command = shellCommand(LINUX, [program, "hook", "session-start"], { project: true });
    const run = await new Deno.Command("sh", { args: ["-c", command], cwd: home }).output();
    assertEquals(
      new TextDecoder().decode(run.stdout),
      `hook|session-start|--project|${await Deno.realPath(home)}|`,
      command,
    );
    assertEquals(splitCommand(command)?.[0], program);
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("shellCommand() quotes for cmd.exe on Windows", () => {
  assertEquals(
    shellCommand(WINDOWS, ["C:\\Program Files\\signet-pyagent.exe", "hook", "session-end"], {
      project: true,
    }),
    '"C:\\Program Files\\signet-pyagent.exe" hook session-end --project "%CD%"',
  );
});

Deno.test("splitCommand() refuses anything but one plain command", () => {
  for (const command of ["a; b", "a && b", "a | b", "a > f", 'a "b', "a 'b", "a\nb"]) {
    assertEquals(splitCommand(command), undefined, command);
  }
});

Deno.test("programName() reads paths of either system", () => {
  assertEquals(programName("/home/u/.local/bin/signet-pyagent"), "signet-pyagent");
  assertEquals(programName("C:\\Users\\u\\signet-pyagent.EXE"), "signet-pyagent");
  assertEquals(programName("signet-pyagent"), "signet-pyagent");
});

Deno.test("isOurHook() recognises our exact command, and nothing that merely mentions it", () => {
  const cases: [string, boolean][] = [
    ['"/home/u/.local/bin/signet-pyagent" hook session-start --project "$(pwd)"', true],
    ["signet-pyagent hook user-prompt-submit", true],
    ["'/opt/my tools/signet-connect' hook session-end -H pyagent", true],
    ["signet-connect hook session-end -H codex", false],
    ["signet-connect hook session-end", false],
    ["signet hook session-start -H pyagent", false],
    ["signet-pyagent status", false],
    ["signet-pyagent hook unknown-event", false],
    ["echo signet-pyagent hook session-start", false],
    ["signet-pyagent hook session-start && rm -rf /", false],
    ["my-signet-pyagent hook session-start", false],
  ];
  for (const [command, ours] of cases) assertEquals(isOurHook(PYAGENT, splitCommand(command)), ours, command);
});

Deno.test("isOurMcp() recognises our server by program and argument", () => {
  assertEquals(isOurMcp(PYAGENT, ["/x/signet-pyagent", "mcp"]), true);
  assertEquals(isOurMcp(PYAGENT, ["/x/signet-connect", "mcp", "-H", "pyagent"]), true);
  assertEquals(isOurMcp(PYAGENT, ["signet-mcp"]), false);
});
