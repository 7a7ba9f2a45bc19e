import { assertEquals, assertLess } from "@std/assert";
import { FaultyDaemon } from "./worlds/faulty_daemon.ts";
import { Home, type HookOptions, within } from "./worlds/hook_process.ts";

const TIMEOUT_MS = 4000;

const INPUTS: [string, NonNullable<HookOptions["stdin"]>, string][] = [
  ["an object on a pipe that is never closed", { open: '{"session_id":"s","prompt":"hi"}' }, "hi"],
  ["nothing on a pipe that is never closed", { open: "" }, ""],
  ["half an object on a pipe that is never closed", { open: '{"session_id":"s","prom' }, ""],
  ["nothing", "", ""],
  ["binary garbage", crypto.getRandomValues(new Uint8Array(60_000)), ""],
  ["a list", '["hi"]', ""],
  ["50 MB of JSON", `{"prompt":"${"x".repeat(50_000_000)}"}`, ""],
  [
    "a prompt of 2 MB",
    { session_id: "s", prompt: "y".repeat(2_000_000) },
    "y".repeat(9000 - 12) + "\n[truncated]",
  ],
];

Deno.test("whatever comes on stdin, a hook exits 0 in time, and no process stays", async () => {
  using daemon = new FaultyDaemon();
  daemon.answer = ({ body }) => ({ inject: body.userMessage, sessionKnown: true });
  await using home = await Home.make(daemon.url);
  for (const [name, stdin, expected] of INPUTS) {
    const ended = await home.hook("user-prompt-submit", { stdin });
    assertEquals([ended.code, ended.stderr], [0, ""], name);
    assertEquals(ended.stdout === expected, true, `${name}: ${ended.stdout.slice(0, 80)}`);
    assertLess(ended.ms, within(TIMEOUT_MS), name);
  }
  console.log(`stdin: ${INPUTS.length} hooks fed, every hook exited 0 in its budget`);
});

Deno.test("a hook on a terminal does not wait for it", async () => {
  using daemon = new FaultyDaemon();
  daemon.answer = () => ({ inject: "hello" });
  await using home = await Home.make(daemon.url);
  // script(1) gives the hook a terminal for stdin.
  const found = await new Deno.Command("sh", { args: ["-c", "command -v script"], stdout: "null" }).output();
  if (!found.success) return console.log("terminal: not run, script(1) is not on this machine");
  const ended = await home.hook("session-start", {
    before: ["sh", "-c", 'script -qec "$*" /dev/null', "sh"],
  });
  assertEquals(ended.code, 0);
  assertLess(ended.ms, within(TIMEOUT_MS));
});

Deno.test("a hook without any stdin at all works", async () => {
  using daemon = new FaultyDaemon();
  daemon.answer = () => ({ inject: "hello" });
  await using home = await Home.make(daemon.url);
  for (const redirect of ["<&-", "</dev/null", "</dev/zero", "</"]) {
    const before = ["sh", "-c", `exec "$@" ${redirect}`, "sh"];
    const ended = await home.hook("session-start", { before });
    assertEquals([ended.code, ended.stdout, ended.stderr], [0, "hello", ""], redirect);
    assertLess(ended.ms, within(5000), redirect);
  }
});

Deno.test("a harness that stops reading does not hold a hook", async () => {
  using daemon = new FaultyDaemon();
  daemon.answer = () => ({ inject: "z".repeat(500_000) });
  await using home = await Home.make(daemon.url, { maxInject: 500_000 });
  const child = home.start(["hook", "session-start"], {});
  // Nobody reads stdout: a pipe holds 64 KiB, and then the writer waits.
  const started = performance.now();
  const { code } = await child.status;
  assertEquals(code, 0);
  assertLess(performance.now() - started, within(5000));
  await child.stdout.cancel();
  await child.stderr.cancel();
});
