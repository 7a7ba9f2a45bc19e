import { assertEquals, assertStringIncludes } from "@std/assert";
import { serve } from "../mock_daemon/mod.ts";
import { DEEP } from "../connectors/base/testing/deep.ts";
import { SEEDED, seededRandom } from "../connectors/base/testing/seed.ts";
import { until } from "../connectors/base/testing/until.ts";
import { LiveSessions } from "../hooks/state/live_sessions.ts";
import { FaultyDaemon } from "./worlds/daemon/faulty_daemon.ts";
import { exists } from "./worlds/exists.ts";
import { SampleHome } from "./worlds/hooks/sample_home.ts";

const CWD = "/home/u/proj";
const ROUNDS = DEEP ? 40 : 3;
const LINUX = Deno.build.os === "linux";

/** A harness of its own process, after its second turn. */
function openSession(home: SampleHome, session: string): Promise<Deno.ChildProcess> {
  return open(home, "fake_session.ts", session, `${home.path}/${session}.jsonl`);
}

async function open(home: SampleHome, script: string, ...args: string[]): Promise<Deno.ChildProcess> {
  const path = new URL(`./worlds/hooks/${script}`, import.meta.url).pathname;
  const child = home.start([], {
    before: [Deno.execPath(), "run", "-A", "--no-check", "--no-config", "--no-lock", path, ...args],
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  assertEquals(new TextDecoder().decode(value).trim(), "ready");
  reader.releaseLock();
  return child;
}

async function killSession(child: Deno.ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await child.status;
  await Promise.all([child.stdout.cancel(), child.stderr.cancel()]);
}

/** Waits for the first sweep, which a start has begun. */
async function swept(home: SampleHome): Promise<void> {
  await until("a sweep has run", () => exists(`${home.state}/sweep.json`));
  await home.quiet();
}

const startOther = (home: SampleHome, session_id = "other") =>
  home.hook("session-start", { stdin: { session_id, cwd: CWD } });

Deno.test({
  name: "a session whose program was killed ends at the next start, once, with its transcript",
  ignore: !LINUX,
  async fn() {
    await using daemon = new FaultyDaemon();
    await using home = await SampleHome.make(daemon.url);
    const session = await openSession(home, "killed");
    await startOther(home, "beside");
    await swept(home);
    assertEquals([...daemon.ended.keys()], [], "its program still runs");

    // The next start follows that sweep at once.
    await killSession(session);
    await startOther(home);
    await until("the end has arrived", () => daemon.ended.has("killed"));
    await home.delivered();
    await home.quiet();
    const end = daemon.received.find(({ path }) => path.endsWith("/session-end"));
    assertEquals(end?.body.reason, "stale-session-sweep");
    assertEquals(end?.body.cwd, CWD);
    assertStringIncludes(String(end?.body.transcript), "User: and with it?\n\nAssistant: An answer to:");

    await Deno.remove(`${home.state}/sweep.json`);
    await startOther(home, "third");
    await swept(home);
    assertEquals([...daemon.ended].map(([key, { asked }]) => [key, asked]), [["killed", 1]]);
    assertEquals(
      new LiveSessions(home.state).list().map(({ key }) => key).sort(),
      ["beside", "other", "third"],
    );
  },
});

Deno.test({
  name: "a killed harness with a plugin ends from the conversation that the plugin kept",
  ignore: !LINUX,
  async fn() {
    await using daemon = new FaultyDaemon();
    await using home = await SampleHome.make(daemon.url, { runtimePath: "plugin", transcript: "text" });
    const transcripts = `${home.state}/transcripts`;
    const session = await open(home, "fake_plugin_session.ts", "plug", transcripts);
    const [kept] = [...Deno.readDirSync(transcripts)];
    assertEquals((Deno.statSync(`${transcripts}/${kept?.name}`).mode ?? 0) & 0o777, 0o600);
    assertEquals((Deno.statSync(transcripts).mode ?? 0) & 0o777, 0o700);
    await killSession(session);
    await startOther(home);
    await until("the end has arrived", () => daemon.ended.has("plug"));
    await home.delivered();
    const end = daemon.received.find(({ path }) => path.endsWith("/session-end"));
    assertEquals(
      end?.body.transcript,
      "User: what do I drink?\n\nAssistant: Tea.\n\nUser: and with it?",
    );
    assertEquals([...Deno.readDirSync(transcripts)].length, 0, "it is in the daemon's hands now");
    assertEquals(daemon.ended.get("plug")?.asked, 1);
  },
});

Deno.test({
  name: `a sweep that is killed at random moments delivers each end once ${SEEDED}`,
  ignore: !LINUX,
  async fn() {
    await using daemon = new FaultyDaemon();
    await using home = await SampleHome.make(daemon.url);
    await openAndKill(home, ["warm0", "warm1", "warm2"]);
    const began = performance.now();
    await home.start(["hook", "drain"]).output();
    const usualMs = performance.now() - began;

    const keys = ["k0", "k1", "k2"];
    await openAndKill(home, keys);
    const random = seededRandom();
    for (let round = 0; round < ROUNDS; round++) {
      const sweeper = home.start(["hook", "drain"]);
      const timer = setTimeout(() => {
        try {
          sweeper.kill("SIGKILL");
        } catch {
          // It was faster.
        }
      }, random() * usualMs);
      await sweeper.output();
      clearTimeout(timer);
    }
    await home.start(["hook", "drain"]).output();
    await home.delivered();
    assertEquals(
      keys.map((key) => [key, daemon.ended.get(key)?.keys.size]),
      keys.map((key) => [key, 1]),
      "one idempotency key for each session",
    );
    assertEquals(new LiveSessions(home.state).list(), []);
  },
});

async function openAndKill(home: SampleHome, keys: readonly string[]): Promise<void> {
  for (const session of await Promise.all(keys.map((key) => openSession(home, key)))) {
    await killSession(session);
  }
}

Deno.test("a window that was left open overnight keeps its key, and its real end counts", async () => {
  const HOUR = 3_600_000;
  let shift = 0;
  const mock = serve({ clock: () => Date.now() + shift });
  try {
    await using home = await SampleHome.make(mock.url);
    const transcript = `${home.path}/t.jsonl`;
    const say = (text: string) =>
      Deno.writeTextFileSync(
        transcript,
        JSON.stringify({ type: "user", message: { role: "user", content: text.repeat(60) } }) + "\n",
        { append: true },
      );
    const stdin = { session_id: "night", cwd: CWD, transcript_path: transcript };
    await home.hook("session-start", { stdin });
    await home.hook("user-prompt-submit", { stdin: { ...stdin, prompt: "in the evening" } });
    say("in the evening ");

    // The test's own process runs the hooks and is alive: only the silence counts.
    const past = Date.now() / 1000 - 25 * 3600;
    for (const { name } of Deno.readDirSync(`${home.state}/live`)) {
      await Deno.utime(`${home.state}/live/${name}`, past, past);
    }
    await Deno.utime(transcript, past, past);
    await home.start(["hook", "drain"]).output();
    await home.delivered();
    const ends = () => mock.daemon.requests({ path: "/api/hooks/session-end" });
    assertEquals(ends().map(({ body }) => reasonOf(body)), ["stale-session-sweep"]);

    shift = HOUR / 60;
    await home.hook("user-prompt-submit", { stdin: { ...stdin, prompt: "in the morning" } });
    say("in the morning ");
    await home.hook("session-end", { stdin: { ...stdin, reason: "prompt_input_exit" } });
    await home.delivered();
    await home.quiet();
    assertEquals(ends().map(({ body }) => reasonOf(body)), ["stale-session-sweep", "prompt_input_exit"]);
    const answer = ends().at(-1)?.answer;
    assertEquals(answer, { memoriesSaved: 0, queued: true, jobId: jobOf(answer) });
  } finally {
    await mock.shutdown();
  }
});

function reasonOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "reason" in body ? body.reason : undefined;
}

function jobOf(answer: unknown): unknown {
  return typeof answer === "object" && answer !== null && "jobId" in answer ? answer.jobId : "none";
}

Deno.test("a session that goes on takes back the end that still waits for the daemon", async () => {
  await using daemon = new FaultyDaemon();
  daemon.stop();
  await using home = await SampleHome.make(daemon.url);
  const transcript = `${home.path}/t.jsonl`;
  const stdin = { session_id: "s", cwd: CWD, transcript_path: transcript };
  await Deno.writeTextFile(transcript, '{"type":"user","message":{"content":"first"}}\n');
  await home.hook("session-start", { stdin });
  await home.hook("session-end", { stdin: { ...stdin, reason: "other" } });
  assertEquals(home.spool.list().length, 1);
  await home.hook("session-start", { stdin: { ...stdin, source: "resume" } });
  assertEquals(home.spool.list().length, 0);
  await Deno.writeTextFile(transcript, '{"type":"user","message":{"content":"second"}}\n', { append: true });
  await home.hook("session-end", { stdin: { ...stdin, reason: "other" } });
  await daemon.start();
  await home.start(["hook", "drain"]).output();
  await home.delivered();
  assertEquals(daemon.ended.get("s")?.asked, 1);
  const end = daemon.received.find(({ path }) => path.endsWith("/session-end"));
  assertEquals(end?.body.transcript, "User: first\n\nUser: second");
});

Deno.test("a session that Signet is switched off for leaves nothing to end", async () => {
  await using daemon = new FaultyDaemon();
  daemon.answer = () => ({ inject: "", bypassed: true });
  await using home = await SampleHome.make(daemon.url);
  const stdin = { session_id: "off", cwd: CWD, prompt: "hi" };
  for (const event of ["session-start", "user-prompt-submit"]) await home.hook(event, { stdin });
  assertEquals(new LiveSessions(home.state).list(), []);
});
