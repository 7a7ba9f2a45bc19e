import { assertEquals, assertMatch } from "@std/assert";
import { type Fault, FaultyDaemon, type Received } from "../../tests/worlds/daemon/faulty_daemon.ts";
import { entry } from "../../tests/worlds/hooks/sample_entry.ts";
import { DEEP } from "../../connectors/base/testing/deep.ts";
import { Backoff } from "./backoff.ts";
import { drain } from "./drain.ts";
import { DrainLock } from "./drain_lock.ts";
import { flush } from "./flush.ts";
import { stateDir, type Surroundings } from "../state/paths.ts";
import { loadSettings } from "../daemon/settings.ts";
import { Spool } from "./spool.ts";

interface Place {
  daemon: FaultyDaemon;
  spool: Spool;
  dir: string;
  host: Surroundings;
  env: Record<string, string>;
  add(key: string, more?: Parameters<typeof entry>[1]): void;
  run(options?: Parameters<typeof drain>[1]): ReturnType<typeof drain>;
}

async function place(test: (place: Place) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir();
  await using daemon = new FaultyDaemon();
  try {
    const env: Record<string, string> = { HOME: home, SIGNET_DAEMON_URL: daemon.url };
    const host: Surroundings = { env: (name) => env[name], os: "linux" };
    const dir = stateDir("sample", host) ?? "";
    const spool = new Spool(dir);
    await test({
      daemon,
      spool,
      dir,
      host,
      env,
      add: (key, more) => spool.add(entry(key, { url: daemon.url, ...more })),
      run: (options) => drain(loadSettings("sample", host), { host, ...options }),
    });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

const sessionOf = ({ body }: Received) => String(body.sessionKey);

Deno.test("drain() delivers oldest first and clears the spool", () =>
  place(async ({ daemon, spool, add, run }) => {
    for (const key of ["a", "b", "c"]) add(key);
    assertEquals(await run(), { sent: 3, kept: 0, rejected: 0, busy: false, stopped: false });
    assertEquals(daemon.received.map(sessionOf), ["a", "b", "c"]);
    assertEquals(spool.isEmpty(), true);
  }));

Deno.test("drain() fills in the agent of events that were kept without settings", () =>
  place(async ({ daemon, env, add, run }) => {
    env.SIGNET_AGENT_ID = "ana";
    const body = { sessionKey: "a", agentId: "default", requestContext: { harness: "sample" } };
    add("a", { url: "", agentId: "", body });
    add("b", { url: "", agentId: "bo", body: { sessionKey: "b", agentId: "bo" } });
    assertEquals((await run()).sent, 2);
    const [first, second] = daemon.received.map(({ body }) => body);
    assertEquals(first, {
      ...body,
      agentId: "ana",
      agent_id: "ana",
      requestContext: { harness: "sample", agentId: "ana" },
    });
    assertEquals(second?.agentId, "bo");
  }));

Deno.test("drain() sends the same key on every try", () =>
  place(async ({ daemon, add, run }) => {
    add("a");
    const faults: Fault[] = ["reset after", { status: 503, body: "{}" }, "ok"];
    daemon.respond = () => faults.shift() ?? "ok";
    for (let i = 0; i < 3; i++) await run();
    assertEquals(daemon.received.length, 3);
    assertEquals(new Set(daemon.received.map(({ headers }) => headers.get("idempotency-key"))).size, 1);
  }));

Deno.test("drain() keeps an event until the daemon confirms it, whatever else answers 200", () =>
  place(async ({ daemon, spool, add, run }) => {
    add("a");
    for (const body of [[], {}, { status: "ok", login: "https://portal.example" }, { success: true }]) {
      daemon.answer = () => body;
      const report = await run();
      assertEquals([report.sent, report.kept, report.rejected], [0, 1, 0], JSON.stringify(body));
      assertMatch(report.reason ?? "", /is not a Signet daemon: it did not confirm the event$/);
    }
    daemon.answer = () => ({ memoriesSaved: 0, queued: false });
    assertEquals([(await run()).sent, spool.isEmpty()], [1, true]);
  }));

Deno.test("drain() gives a daemon that reads only files the conversation in a file", () =>
  place(async ({ daemon, dir, add, run }) => {
    const transcript = "User: hello\n".repeat(60);
    const read: unknown[] = [];
    // As Signet 0.58 answers: nothing but the count, unless it opened a file.
    daemon.answer = ({ body }) => {
      if (typeof body.transcriptPath !== "string") return { memoriesSaved: 0 };
      const { mode } = Deno.statSync(body.transcriptPath);
      read.push([Deno.readTextFileSync(body.transcriptPath), (mode ?? 0) & 0o777]);
      return { memoriesSaved: 0, queued: true, jobId: "j" };
    };
    add("a", { body: { sessionKey: "a", transcript } });
    add("short", { body: { sessionKey: "short", transcript: "User: hi" } });
    assertEquals((await run()).sent, 2);
    assertEquals(read, [[transcript, 0o600]]);
    assertEquals(daemon.received.map(sessionOf), ["a", "a", "short"]);
    assertEquals([...Deno.readDirSync(dir)].some(({ name }) => name.startsWith("transcript")), false);
  }));

Deno.test("drain() writes no file for a daemon that reads the request", () =>
  place(async ({ daemon, add, run }) => {
    const answers = [
      { memoriesSaved: 0, queued: false },
      { memoriesSaved: 0, skipped: true, duplicateSessionEnd: true },
      { memoriesSaved: 0, bypassed: true },
    ];
    for (const [i, answer] of answers.entries()) {
      daemon.answer = () => answer;
      add(`s${i}`, { body: { sessionKey: `s${i}`, transcript: "User: hello\n".repeat(60) } });
      assertEquals((await run()).sent, 1);
    }
    assertEquals(daemon.received.map(({ body }) => body.transcriptPath), [undefined, undefined, undefined]);
  }));

Deno.test("drain() stops at the first sign that nothing goes through, and backs off", () =>
  place(async ({ daemon, dir, add, run }) => {
    for (const key of ["a", "b"]) add(key);
    daemon.respond = () => ({ status: 429, body: "{}", headers: { "retry-after": "90" } });
    const report = await run();
    assertEquals([report.sent, report.kept, report.stopped, daemon.received.length], [0, 2, true, 1]);
    assertEquals(new Backoff(dir).read().waitMs > 80_000, true);
    daemon.respond = () => "ok";
    assertEquals((await run()).sent, 2, "the core itself does not wait: its callers do");
    assertEquals(new Backoff(dir).read().waitMs, 0);
  }));

Deno.test("drain() parks what the daemon refuses for good, and goes on", () =>
  place(async ({ daemon, spool, add, run }) => {
    for (const key of ["bad", "good"]) add(key);
    daemon.respond = (request) =>
      sessionOf(request) === "bad" ? { status: 400, body: '{"error":"no"}' } : "ok";
    const report = await run();
    assertEquals([report.sent, report.kept, report.rejected, spool.rejectedCount()], [1, 0, 1, 1]);
  }));

Deno.test("drain() keeps a backlog whose key is refused, and lets another agent's through", () =>
  place(async ({ daemon, add, run }) => {
    for (const key of ["a", "b"]) add(key, { agentId: "locked" });
    add("c", { agentId: "open" });
    daemon.respond = ({ headers }) =>
      headers.get("x-signet-agent-id") === "locked" ? { status: 401, body: '{"error":"revoked"}' } : "ok";
    const report = await run();
    assertEquals([report.sent, report.kept, report.rejected], [1, 2, 0]);
    assertMatch(report.reason ?? "", /HTTP 401\): revoked/);
    assertEquals(daemon.received.length, 2, "one question per agent is enough");
  }));

Deno.test("drain() holds back what follows in a session, and serves the other sessions", () =>
  place(async ({ daemon, add, run }) => {
    add("sick", { kind: "compaction-complete", path: "/api/hooks/compaction-complete" });
    add("sick");
    add("well");
    daemon.respond = (request) =>
      request.path.endsWith("compaction-complete")
        ? { status: 500, body: '{"error":"Hook execution failed"}' }
        : "ok";
    assertEquals((await run()).sent, 1);
    assertEquals(daemon.received.map(sessionOf), ["sick", "well"]);
    daemon.respond = () => "ok";
    assertEquals((await run()).sent, 2);
    assertEquals([...daemon.ended.keys()], ["well", "sick"]);
  }));

Deno.test("drain() sends nothing to another daemon than the one an event was meant for", () =>
  place(async ({ daemon, add, run }) => {
    add("mine");
    add("theirs", { url: "http://127.0.0.1:1" });
    const report = await run();
    assertEquals([report.sent, report.kept], [1, 1]);
    assertMatch(report.reason ?? "", /meant for http:\/\/127\.0\.0\.1:1/);
    assertEquals((await run({ rebind: true })).sent, 1, "unless a person says so");
    assertEquals(daemon.received.map(sessionOf), ["mine", "theirs"]);
  }));

Deno.test("drain() parks what cannot be sent, and sends the others", () =>
  place(async ({ daemon, spool, add, run }) => {
    add("broken");
    const [item] = spool.list();
    Deno.writeTextFileSync(`${spool.dir}/${item?.name}`, "\u0000\u0001");
    add("header", { harness: "sample\r\nx-admin: 1" });
    add("letter", { id: "\u4e00" });
    add("good");
    const report = await run();
    assertEquals([report.sent, report.rejected, spool.rejectedCount()], [1, 3, 3]);
    assertEquals(daemon.received.map(sessionOf), ["good"]);
  }));

Deno.test("drain() leaves events of a newer version where they are", () =>
  place(async ({ daemon, spool, add, run }) => {
    add("newer");
    const [item] = spool.list();
    Deno.writeTextFileSync(`${spool.dir}/${item?.name}`, '{"v":2,"what":"else"}');
    add("good");
    const report = await run();
    assertEquals([report.sent, report.kept, report.rejected], [1, 1, 0]);
    assertMatch(report.reason ?? "", /newer version/);
    assertEquals(daemon.received.map(sessionOf), ["good"]);
  }));

const EVENTS = DEEP ? 700 : 80;

Deno.test(`drain() delivers ${EVENTS} events whatever the clock said then and says now`, () =>
  place(async ({ daemon, spool, dir, run }) => {
    const [y2000, y2099] = [946_684_800_000, 4_070_908_800_000];
    const clocks = [y2000, Date.now(), y2099, y2000 - 1, Date.now() - 1, 0, -1];
    for (let i = 0; i < EVENTS; i++) {
      const now = clocks[i % clocks.length] ?? 0;
      new Spool(dir, () => now).add(entry(`s${i}`, { url: daemon.url }));
    }
    daemon.respond = () => ({ status: 503, body: "{}" });
    for (const now of [y2000, y2099, 0, -1, Date.now()]) {
      const { sent, kept, rejected } = await run({ now: () => now });
      assertEquals([sent, kept, rejected], [0, EVENTS, 0], `a drain at ${now}`);
    }
    daemon.respond = () => "ok";
    assertEquals((await run()).sent, EVENTS);
    assertEquals(
      [...daemon.ended.keys()],
      Array.from({ length: EVENTS }, (_, i) => `s${i}`),
      "in their order",
    );
    assertEquals([spool.isEmpty(), spool.dropped.read()], [true, []]);
  }));

Deno.test("drain() removes the temporary files of processes that were killed, and no others", () =>
  place(async ({ spool, dir, add, run }) => {
    add("a");
    await Deno.mkdir(`${dir}/sessions`);
    const names = [`${spool.dir}/.a.json.1.tmp`, `${dir}/breaker.json.1.tmp`, `${dir}/sessions/s.json.1.tmp`];
    for (const [i, path] of [...names, `${spool.dir}/.live.tmp`, `${spool.dir}/notes.txt`].entries()) {
      await Deno.writeTextFile(path, "{");
      const hours = [-2, -2, 500_000][i];
      if (hours !== undefined) {
        const date = new Date(Date.now() + hours * 3600 * 1000);
        await Deno.utime(path, date, date);
      }
    }
    await run();
    const left = [dir, spool.dir, `${dir}/sessions`].flatMap((at) =>
      [...Deno.readDirSync(at)].filter(({ name }) => /tmp|txt/.test(name)).map(({ name }) => name)
    );
    assertEquals(left.toSorted(), [".live.tmp", "notes.txt"]);
  }));

Deno.test("drain() leaves the work to whoever has the lock", () =>
  place(async ({ daemon, dir, add, run }) => {
    add("a");
    const lock = DrainLock.take(dir, "drain.lock");
    assertEquals((await run()).busy, true);
    assertEquals(daemon.received.length, 0);
    lock?.release();
    assertEquals((await run()).sent, 1);
  }));

Deno.test("drain() sees what was spooled while it ran", () =>
  place(async ({ daemon, add, run }) => {
    add("a");
    daemon.respond = (request) => {
      if (sessionOf(request) === "a") add("late");
      return "ok";
    };
    assertEquals((await run()).sent, 2);
  }));

Deno.test("drain() does not call a daemon that the settings forbid", () =>
  place(async ({ daemon, add, run, env }) => {
    add("a");
    env.SIGNET_AGENT_ID = "../x";
    const report = await run();
    assertEquals([report.sent, report.kept, daemon.received.length], [0, 1, 0]);
    assertMatch(report.reason ?? "", /agent id/);
  }));

Deno.test("flush() waits for a drain that runs, then delivers", () =>
  place(async ({ dir, host, add }) => {
    add("a");
    const lock = DrainLock.take(dir, "drain.lock");
    const flushed = flush(loadSettings("sample", host), { host });
    lock?.release();
    assertEquals((await flushed).sent, 1);
  }));
