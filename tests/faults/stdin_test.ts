import { assertEquals, assertStringIncludes } from "@std/assert";
import { FaultyDaemon } from "../worlds/daemon/faulty_daemon.ts";
import { isOnPath } from "../../connectors/base/testing/on_path.ts";
import { type HookOptions, SampleHome } from "../worlds/hooks/sample_home.ts";

/** For input that never ends: the hook gives up reading, and goes on without it. */
const GIVES_UP: HookOptions = { limits: { stdinMs: 200 } };

const INPUTS: [string, NonNullable<HookOptions["stdin"]>, string, HookOptions?][] = [
  ["an object on a pipe that is never closed", { open: '{"session_id":"s","prompt":"hi"}' }, "hi"],
  ["nothing on a pipe that is never closed", { open: "" }, "", GIVES_UP],
  ["half an object on a pipe that is never closed", { open: '{"session_id":"s","prom' }, "", GIVES_UP],
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

Deno.test("a hook exits 0, whatever comes on stdin", async () => {
  await using daemon = new FaultyDaemon();
  daemon.answer = ({ body }) => ({ inject: body.userMessage, sessionKnown: true });
  await using home = await SampleHome.make(daemon.url);
  for (const [name, stdin, expected, options] of INPUTS) {
    const ended = await home.hook("user-prompt-submit", { ...options, stdin });
    assertEquals([ended.code, ended.stderr], [0, ""], name);
    assertEquals(ended.stdout === expected, true, `${name}: ${ended.stdout.slice(0, 80)}`);
  }
});

Deno.test({
  name: "a hook on a terminal does not read from it (needs script)",
  ignore: !isOnPath("script"),
  async fn() {
    await using daemon = new FaultyDaemon();
    daemon.answer = () => ({ inject: "hello", memoriesSaved: 0, queued: false });
    await using home = await SampleHome.make(daemon.url);
    // script(1) gives the hook a terminal for stdin.
    const before = ["sh", "-c", 'script -qec "$*" /dev/null', "sh"];
    const ended = await home.hook("session-start", { before, stdin: { open: "" } });
    assertEquals(ended.code, 0);
    assertStringIncludes(ended.stdout, "hello");
  },
});

Deno.test("a hook without a usable stdin works", async () => {
  await using daemon = new FaultyDaemon();
  daemon.answer = () => ({ inject: "hello", memoriesSaved: 0, queued: false });
  await using home = await SampleHome.make(daemon.url);
  for (const redirect of ["<&-", "</dev/null", "</dev/zero", "</"]) {
    const before = ["sh", "-c", `exec "$@" ${redirect}`, "sh"];
    const ended = await home.hook("session-start", { ...GIVES_UP, before });
    assertEquals([ended.code, ended.stdout, ended.stderr], [0, "hello", ""], redirect);
  }
});

Deno.test("a harness that stops reading does not hold a hook", async () => {
  await using daemon = new FaultyDaemon();
  daemon.answer = () => ({ inject: "z".repeat(500_000) });
  await using home = await SampleHome.make(daemon.url, { maxInject: 500_000 });
  // Nobody reads stdout: a pipe holds 64 KiB, and then the writer waits, until the watchdog ends the hook.
  const child = home.start(["hook", "session-start"], { budgetMs: 1500, limits: { watchdogMs: 100 } });
  assertEquals((await child.status).code, 0);
  await child.stdout.cancel();
  await child.stderr.cancel();
});
