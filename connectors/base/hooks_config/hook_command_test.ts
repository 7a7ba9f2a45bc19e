import { assertEquals } from "@std/assert";
import {
  execCommand,
  guardedCommand,
  isOurHook,
  isOurMcp,
  programName,
  shellCommand,
  splitCommand,
} from "./hook_command.ts";
import { writeProgram } from "../testing/write_program.ts";

const LINUX = { os: "linux" } as const;
const WINDOWS = { os: "windows" } as const;
const PYAGENT = { id: "pyagent", binary: "signet-pyagent" };

Deno.test("shellCommand() survives spaces, quotes and dollars in the program's path", async () => {
  for (const dir of ["plain", "with space", 'a"b', "a'b", "cost$HOME", "back`tick`", "back\\slash"]) {
    const home = await Deno.makeTempDir();
    const program = `${home}/${dir}/tool`;
    await Deno.mkdir(`${home}/${dir}`);
    await writeProgram(program, '#!/bin/sh\nprintf "%s|" "$@"\n');
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

const BROKEN: [string, (program: string) => Promise<void>][] = [
  ["missing", async () => {}],
  ["not executable", (program) => Deno.writeTextFile(program, "#!/bin/sh\n", { mode: 0o644 })],
  ["corrupt", (program) => writeProgram(program, "\x7fELF\0\0nonsense")],
  [
    "failing",
    (program) => writeProgram(program, "#!/bin/sh\necho no >&2\nexit 2\n"),
  ],
];

/** The shells that a POSIX system may have as sh. */
const SHELLS = ["sh", "bash", "dash", "busybox"].filter((shell) => {
  try {
    new Deno.Command(shell, { args: [], stdin: "null", stdout: "null", stderr: "null" }).outputSync();
    return true;
  } catch {
    return false;
  }
});

async function inShell(shell: string, command: string, input: string) {
  const args = [...(shell === "busybox" ? ["sh"] : []), "-c", command];
  const child = new Deno.Command(shell, { args, stdin: "piped", stdout: "piped", stderr: "piped" }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}

for (const shell of SHELLS) {
  for (const [title, make] of BROKEN) {
    Deno.test(`guardedCommand() succeeds in silence in ${shell} if the program is ${title}`, async () => {
      const home = await Deno.makeTempDir();
      const program = `${home}/a b`;
      await make(program);
      const ran = await inShell(shell, guardedCommand(LINUX, [program, "hook", "session-start"]), "{}");
      assertEquals(ran, { code: 0, out: "", err: "" });
      await Deno.remove(home, { recursive: true });
    });
  }

  Deno.test(`execCommand() leaves no ${shell} between the harness and the program`, async () => {
    const home = await Deno.makeTempDir();
    const program = `${home}/it's $HOME`;
    await writeProgram(program, '#!/bin/sh\necho $PPID "$@"\ncat\n');
    const command = execCommand(LINUX, [program, "hook", "session-end"]);
    const { code, out } = await inShell(shell, command, "{}");
    assertEquals([code, out], [0, `${Deno.pid} hook session-end\n{}`]);
    assertEquals(splitCommand(command), [program, "hook", "session-end"]);
    await Deno.remove(home, { recursive: true });
  });

  Deno.test(`guardedCommand() passes stdin, arguments and stdout in ${shell}`, async () => {
    const home = await Deno.makeTempDir();
    const program = `${home}/it's $HOME`;
    await writeProgram(program, '#!/bin/sh\ncat\nprintf " %s" "$@"\n');
    const command = guardedCommand(LINUX, [program, "hook", "session-end"]);
    assertEquals(await inShell(shell, command, '{"a":1}'), {
      code: 0,
      out: '{"a":1} hook session-end',
      err: "",
    });
    assertEquals(splitCommand(command), [program, "hook", "session-end"]);
    await Deno.remove(home, { recursive: true });
  });

  Deno.test(`guardedCommand() ends the program in ${shell} when the shell gets SIGTERM`, async () => {
    const home = await Deno.makeTempDir();
    const program = `${home}/slow`;
    await writeProgram(program, "#!/bin/sh\necho $$\nexec sleep 600\n");
    const args = [
      ...(shell === "busybox" ? ["sh"] : []),
      "-c",
      guardedCommand(LINUX, [program, "hook", "session-end"]),
    ];
    const child = new Deno.Command(shell, { args, stdin: "null", stdout: "piped" }).spawn();
    const reader = child.stdout.getReader();
    // The program runs: it printed its process id.
    const first = await reader.read();
    assertEquals(first.done, false);
    child.kill("SIGTERM");
    // The pipe closes only when the program has ended too.
    assertEquals(await reader.read(), { done: true, value: undefined });
    assertEquals((await child.status).code, 0);
    await Deno.remove(home, { recursive: true });
  });
}

Deno.test("splitCommand() reads a guarded command, and no other chain", () => {
  const guarded = guardedCommand(LINUX, ["/b/signet-gemini", "hook", "session-start"]);
  const gemini = { id: "gemini", binary: "signet-gemini" };
  assertEquals(isOurHook(gemini, splitCommand(guarded)), true);
  assertEquals(splitCommand(`${guarded}; rm x`), undefined);
  assertEquals(splitCommand(guarded.replace("session-start", "session-start; rm x")), undefined);
  assertEquals(guardedCommand(WINDOWS, ["C:\\a b.exe", "hook"]), '"C:\\a b.exe" hook');
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
    ["exec '/a b/signet-pyagent' hook session-end", true],
    ["exec signet-pyagent hook session-end; rm x", false],
    ["exec exec signet-pyagent hook session-end", false],
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
