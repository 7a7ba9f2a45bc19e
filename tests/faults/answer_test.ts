import { assert, assertEquals } from "@std/assert";
import { type Fault, FaultyDaemon } from "../worlds/daemon/faulty_daemon.ts";
import { DEEP } from "../../connectors/base/testing/deep.ts";
import { SEED, SEEDED } from "../../connectors/base/testing/seed.ts";
import { HANG_MS } from "../../connectors/base/testing/until.ts";
import { Breaker } from "../../hooks/daemon/breaker.ts";
import { SampleHome } from "../worlds/hooks/sample_home.ts";

const FIRST_BUDGET_MS = 700;
const HTML = { "content-type": "text/html" };

function inject(text: string): Fault {
  return {
    status: 200,
    body: JSON.stringify({ inject: text, identity: { name: "Ada" }, sessionKnown: true }),
  };
}

/** The daemon's answer, what the hook prints, and its outcome in the log. */
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
  [
    "JSON as HTML",
    { status: 200, body: '{"inject":"x","identity":{"name":"Ada"}}', headers: HTML },
    "x",
    "ok",
  ],
  ["a redirect", { status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } }, "", "redirect"],
  ["a reset", "reset", "", "offline"],
  ["half an answer", "reset after", "", "offline"],
  ["no answer", "hang", "", "timeout"],
  ["a byte a second", "drip", "", "timeout"],
  ["an endless body", "endless", "", "too large"],
  [
    "5 MB of text",
    inject("memory ".repeat(750_000)),
    (text) => text.length > 8000 && text.length <= 9000,
    "ok",
  ],
  ["terminal escapes", inject("\u001b]0;pwned\u0007\u001b[2Jhi\u0000\u009b31m"), "hi", "ok"],
];

Deno.test(`a hook exits 0 with the right text, whatever the daemon answers ${SEEDED}`, async () => {
  let hooks = 0;
  let faults = 0;
  const check = async (
    event: string,
    [name, fault, expected, outcome]: typeof ANSWERS[number],
    budgetMs?: number,
  ): Promise<void> => {
    // A home for each: a breaker that one opened would hide the next.
    await using daemon = new FaultyDaemon();
    daemon.respond = () => fault;
    await using home = await SampleHome.make(daemon.url);
    const stdin = { session_id: `${hooks++}`, cwd: "/home/u/proj", prompt: "hello" };
    const ended = await home.hook(event, { stdin, budgetMs });
    faults += daemon.faults;
    const where = `${event}, ${name}`;
    assertEquals([ended.code, ended.stderr], [0, ""], where);
    if (typeof expected === "string") assertEquals(ended.stdout, expected, where);
    else assertEquals(expected(ended.stdout), true, where);
    // The budget counts from the start of the process: a slow machine may use it up before the request.
    if (budgetMs !== undefined && daemon.faults === 0 && budgetMs < HANG_MS) {
      return await check(event, [name, fault, expected, outcome], budgetMs * 2);
    }
    assertEquals(home.outcomes(event), [outcome], where);
  };
  for (const [i, answer] of ANSWERS.entries()) {
    const budgetMs = answer[3] === "timeout" ? FIRST_BUDGET_MS : undefined;
    // The requests of both are made by the same code: all of them are tried in a deep run.
    const events = ["session-start", "user-prompt-submit"].filter((_, n) => DEEP || (i + SEED & 1) === n);
    // Both end before the first failure is thrown: a running hook would disturb the next test.
    const results = await Promise.allSettled(events.map((event) => check(event, answer, budgetMs)));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }
  console.log(`answers: ${hooks} hooks run, ${faults} faults injected, every hook exited 0`);
});

Deno.test("a timeout opens the breaker, and hooks then skip the daemon", async () => {
  await using daemon = new FaultyDaemon();
  daemon.respond = () => "hang";
  await using home = await SampleHome.make(daemon.url);
  const prompt = (budgetMs?: number) =>
    home.hook("user-prompt-submit", { stdin: { session_id: "b", prompt: "hi" }, budgetMs });
  const breaker = () => new Breaker(home.state, daemon.url);
  const isOpen = () => home.outcomes("user-prompt-submit").at(-1) === "timeout" && breaker().state().open;
  for (let budgetMs = FIRST_BUDGET_MS; !isOpen(); budgetMs *= 2) {
    assert(budgetMs < HANG_MS, `no timeout opened the breaker: ${home.outcomes("user-prompt-submit")}`);
    await prompt(budgetMs);
  }
  const { received: { length: requests } } = daemon;
  const before = home.log().length;
  for (let i = 0; i < 3; i++) {
    // However slow the machine, the pause of half a minute lasts until this hook has looked.
    breaker().timedOut();
    await prompt();
  }
  assertEquals(home.outcomes("user-prompt-submit").slice(before), ["breaker", "breaker", "breaker"]);
  assertEquals(daemon.received.length, requests);
});

Deno.test("a daemon that is not running opens no breaker: memory is back when it is", async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  const prompt = () => home.hook("user-prompt-submit", { stdin: { session_id: "b", prompt: "hi" } });
  daemon.stop();
  for (let i = 0; i < 3; i++) await prompt();
  daemon.respond = () => inject("back");
  await daemon.start();
  assertEquals((await prompt()).stdout, "back");
  assertEquals(home.outcomes("user-prompt-submit"), ["offline", "offline", "offline", "ok"]);
});
