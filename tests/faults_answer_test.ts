import { assertEquals, assertLess } from "@std/assert";
import { type Fault, FaultyDaemon } from "./worlds/faulty_daemon.ts";
import { Home, within } from "./worlds/hook_process.ts";

/** The harness's own timeouts (sample_hook.ts): every hook must be done before. */
const TIMEOUT_MS: Record<string, number> = { "session-start": 5000, "user-prompt-submit": 4000 };
const SHORT = { SIGNET_SESSION_START_TIMEOUT: "700", SIGNET_PROMPT_SUBMIT_TIMEOUT: "700" };
const HTML = { "content-type": "text/html" };

function inject(text: string): Fault {
  return { status: 200, body: JSON.stringify({ inject: text, sessionKnown: true }) };
}

/** The answer, what the harness is given, and the log's word for it. */
const ANSWERS: [string, Fault, string | ((stdout: string) => boolean), string][] = [
  ["no fields", { status: 200, body: "{}" }, "", "empty"],
  ["fields of wrong types", { status: 200, body: '{"inject":{"a":1},"sessionKnown":"no"}' }, "", "empty"],
  ["skipped", { status: 200, body: '{"inject":"","skipped":true,"claimedBy":"plugin"}' }, "", "skipped"],
  ["bypassed", { status: 200, body: '{"inject":"","bypassed":true}' }, "", "bypassed"],
  [
    "another path's session",
    { status: 409, body: '{"error":"session claimed by plugin path"}' },
    "",
    "conflict",
  ],
  ["a bad request", { status: 400, body: '{"error":"harness is required"}' }, "", "refused"],
  ["no key", { status: 401, body: '{"error":"authentication required"}' }, "", "unauthorized"],
  [
    "too many",
    { status: 429, body: '{"retryAfter":9}', headers: { "retry-after": "9" } },
    "",
    "rate-limited",
  ],
  ["busy", { status: 503, body: '{"error":"Too many concurrent prompt submissions"}' }, "", "server error"],
  ["a captive portal", { status: 200, body: "<html>Log in</html>", headers: HTML }, "", "not JSON"],
  ["half a JSON", { status: 200, body: '{"inject":"x' }, "", "not JSON"],
  ["JSON as HTML", { status: 200, body: '{"inject":"x"}', headers: HTML }, "x", "ok"],
  ["a redirect", { status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } }, "", "redirect"],
  ["a reset", "reset", "", "offline"],
  ["half an answer", "reset after", "", "offline"],
  ["no answer", "hang", "", "timeout"],
  ["a byte a second", "drip", "", "timeout"],
  ["an endless body", "endless", "", "t"],
  [
    "5 MB of text",
    inject("memory ".repeat(750_000)),
    (text) => text.length > 8000 && text.length <= 9000,
    "ok",
  ],
  ["terminal escapes", inject("\u001b]0;pwned\u0007\u001b[2Jhi\u0000\u009b31m"), "hi", "ok"],
];

Deno.test("whatever the daemon answers, a hook exits 0 in time with the right text", async () => {
  let hooks = 0;
  let faults = 0;
  const check = async (event: string, [name, fault, expected, outcome]: typeof ANSWERS[number]) => {
    // A home for each: a breaker that one opened would hide the next.
    using daemon = new FaultyDaemon();
    daemon.respond = () => fault;
    await using home = await Home.make(daemon.url);
    const stdin = { session_id: `${hooks++}`, cwd: "/home/u/proj", prompt: "hello" };
    // Only where the whole budget will be used up: a busy machine needs it for the others.
    const ended = await home.hook(event, { stdin, env: outcome.startsWith("t") ? SHORT : {} });
    faults += daemon.faults;
    const where = `${event}, ${name}`;
    assertEquals([ended.code, ended.stderr], [0, ""], where);
    if (typeof expected === "string") assertEquals(ended.stdout, expected, where);
    else assertEquals(expected(ended.stdout), true, where);
    assertLess(ended.ms, within(TIMEOUT_MS[event] ?? 0), where);
    const log = home.outcomes(event);
    assertEquals([log.length, log[0]?.startsWith(outcome)], [1, true], `${where}: ${log}`);
  };
  for (const answer of ANSWERS) {
    await Promise.all(["session-start", "user-prompt-submit"].map((event) => check(event, answer)));
  }
  console.log(`answers: ${hooks} hooks sent, ${faults} faults injected, every hook exited 0 in its budget`);
});

Deno.test("a hanging daemon costs one timeout per half minute, and a dead one none at all", async () => {
  using daemon = new FaultyDaemon();
  await using home = await Home.make(daemon.url);
  const prompt = () =>
    home.hook("user-prompt-submit", { stdin: { session_id: "b", prompt: "hi" }, env: SHORT });
  daemon.respond = () => "hang";
  for (let i = 0; i < 4; i++) await prompt();
  assertEquals(home.outcomes("user-prompt-submit"), ["timeout", "breaker", "breaker", "breaker"]);
  assertEquals(daemon.received.length, 1);

  await using other = await Home.make(daemon.url);
  daemon.stop();
  const dead = () => other.hook("user-prompt-submit", { stdin: { session_id: "b", prompt: "hi" } });
  for (let i = 0; i < 3; i++) await dead();
  daemon.respond = () => inject("back");
  await daemon.start();
  assertEquals((await dead()).stdout, "back", "memory is back the moment the daemon is");
  assertEquals(other.outcomes("user-prompt-submit"), ["offline", "offline", "offline", "ok"]);
});
