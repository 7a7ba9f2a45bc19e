import { assertEquals, assertMatch } from "@std/assert";
import { FaultyDaemon } from "../../tests/worlds/daemon/faulty_daemon.ts";
import { drain } from "../spool/drain.ts";
import { DrainLock } from "../spool/drain_lock.ts";
import { Spool } from "../spool/spool.ts";
import { loadSettings } from "../daemon/settings.ts";
import type { HookProfile } from "../profile.ts";
import { type Caller, callerOf } from "../state/caller.ts";
import { fileTime, LiveSessions } from "../state/live_sessions.ts";
import { stateDir, type Surroundings } from "../state/paths.ts";
import { SessionNotes } from "../state/session_notes.ts";
import { CHECKPOINT_AFTER_MS, END_AFTER_MS, sweep } from "./sweep.ts";
import { isSweepDue } from "./is_sweep_due.ts";

const PROFILE: HookProfile = {
  id: "sample",
  runtimePath: "legacy",
  events: {},
  maxInject: 9000,
  transcript: "text",
  render: (_event, text) => text,
};
const ELSEWHERE: Caller = { pid: 1, program: "/no/such/program", machine: "" };
const RUNNING = callerOf(Deno.pid);
/** The process with this id runs another program now. */
const GONE: Caller | undefined = RUNNING && { ...RUNNING, program: "/no/such/program" };

class Place {
  shift = 0;
  readonly daemon = new FaultyDaemon();
  readonly env: Record<string, string>;
  readonly host: Surroundings = { env: (name) => this.env[name], os: "linux" };
  readonly dir: string;
  readonly live: LiveSessions;
  readonly spool: Spool;
  readonly now = () => Date.now() + this.shift;

  constructor(readonly home: string) {
    this.env = { HOME: home, SIGNET_DAEMON_URL: this.daemon.url };
    this.dir = stateDir("sample", this.host) ?? "";
    this.live = new LiveSessions(this.dir, this.now);
    this.spool = new Spool(this.dir, this.now);
  }

  get settings() {
    return loadSettings("sample", this.host);
  }

  begin(key: string, more: { agentId?: string; text?: string; caller?: Caller; keyFrom?: "own" } = {}) {
    const { text = `User: ${key}`, agentId = "default", caller, keyFrom } = more;
    const transcriptPath = `${this.home}/${key}.txt`;
    Deno.writeTextFileSync(transcriptPath, text);
    this.live.begin({
      key,
      url: this.daemon.url,
      agentId,
      keyFrom,
      cwd: "/home/u/p",
      transcriptPath,
      caller,
    });
  }

  /** When the last sweep ran; now if there was none. */
  get sweptAt(): number {
    return fileTime(`${this.dir}/sweep.json`) ?? Date.now();
  }

  sweep() {
    return sweep(PROFILE, this.settings, this.dir, { now: this.now });
  }

  drain() {
    return drain(this.settings, { host: this.host, now: this.now });
  }

  paths(): string[] {
    return this.daemon.received.map(({ path }) => path.replace("/api/hooks/", ""));
  }
}

async function place(test: (place: Place) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir();
  const world = new Place(home);
  try {
    await test(world);
  } finally {
    world.daemon.stop();
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test("sweep() leaves a session alone until it is silent, checkpoints it once, and ends it after a day", () =>
  place(async (at) => {
    at.begin("s");
    at.shift = CHECKPOINT_AFTER_MS - 60_000;
    assertEquals(await at.sweep(), { ended: 0, checkpoints: 0 });
    at.shift = CHECKPOINT_AFTER_MS + 60_000;
    assertEquals(await at.sweep(), { ended: 0, checkpoints: 1 });
    at.shift = END_AFTER_MS - 60_000;
    assertEquals(await at.sweep(), { ended: 0, checkpoints: 0 }, "nothing was said since");
    assertEquals(at.daemon.received.map(({ body }) => body.transcript), ["User: s"]);
    at.shift = END_AFTER_MS + 60_000;
    assertEquals(await at.sweep(), { ended: 1, checkpoints: 0 });
    assertEquals(await at.sweep(), { ended: 0, checkpoints: 0 });
    await at.drain();
    assertEquals(at.paths(), ["session-checkpoint-extract", "session-end"]);
    const body = at.daemon.received.at(-1)?.body;
    assertEquals([body?.reason, body?.transcript], ["stale-session-sweep", "User: s"]);
    assertEquals(new SessionNotes(at.dir, at.daemon.url, "default").read("s").ended, true);
  }));

Deno.test("sweep() checkpoints again after the session has gone on", () =>
  place(async (at) => {
    at.begin("s");
    at.shift = CHECKPOINT_AFTER_MS * 1.5;
    await at.sweep();
    at.live.touch({ key: "s", url: at.daemon.url, agentId: "default" });
    assertEquals((await at.sweep()).checkpoints, 0);
    at.shift = CHECKPOINT_AFTER_MS * 3;
    assertEquals((await at.sweep()).checkpoints, 1);
  }));

Deno.test("sweep() takes a growing transcript for a sign of life", () =>
  place(async (at) => {
    at.begin("s");
    at.shift = END_AFTER_MS + 60_000;
    const seconds = at.now() / 1000;
    await Deno.utime(`${at.home}/s.txt`, seconds, seconds);
    assertEquals(await at.sweep(), { ended: 0, checkpoints: 0 });
  }));

Deno.test("sweep() sends no checkpoint twice to a daemon that has none, and tries an offline one again", () =>
  place(async (at) => {
    at.begin("s");
    at.begin("t");
    at.shift = CHECKPOINT_AFTER_MS + 60_000;
    at.daemon.respond = () => "reset";
    await at.sweep();
    const asked = new Set(at.daemon.received.splice(0).map(({ body }) => body.sessionKey));
    assertEquals(asked.size, 1, "the daemon did not answer the first");
    at.daemon.respond = () => ({ status: 404, body: "404 Not Found" });
    for (let i = 0; i < 2; i++) assertEquals((await at.sweep()).checkpoints, 0);
    assertEquals(at.daemon.received.map(({ body }) => body.sessionKey).sort(), ["s", "t"]);
  }));

Deno.test("sweep() adds no second end to one that is spooled or sent", () =>
  place(async (at) => {
    at.begin("s");
    at.shift = END_AFTER_MS + 60_000;
    await at.sweep();
    const end = at.spool.list().length;
    // As if the sweep had been killed before it could forget the session.
    at.shift = 0;
    at.begin("s");
    at.shift = END_AFTER_MS + 61_000;
    assertEquals(await at.sweep(), { ended: 0, checkpoints: 0 });
    assertEquals([end, at.spool.list().length], [1, 1]);

    at.shift = 0;
    at.begin("s");
    at.shift = END_AFTER_MS + 62_000;
    await at.drain();
    assertEquals(at.live.list(), [], "whoever sends the end forgets the session");
    assertEquals(await at.sweep(), { ended: 0, checkpoints: 0 });
  }));

Deno.test("sweep() sends an end with the key of the session's agent, or keeps it", () =>
  place(async (at) => {
    const dir = `${at.home}/.config/signet/connectors`;
    await Deno.mkdir(dir, { recursive: true });
    const agents = [{ id: "bob", apiKey: "key-bob", projects: [] }];
    const stored = { url: at.daemon.url, agentId: "me", apiKey: "key-me", agents };
    await Deno.writeTextFile(`${dir}/sample.json`, JSON.stringify(stored), { mode: 0o600 });
    at.begin("of-me", { agentId: "me" });
    at.begin("of-bob", { agentId: "bob", keyFrom: "own" });
    at.begin("of-eve", { agentId: "eve", keyFrom: "own" });
    at.shift = END_AFTER_MS + 60_000;
    assertEquals((await at.sweep()).ended, 3);
    const report = await at.drain();
    assertEquals([report.sent, report.kept, report.withoutKey], [2, 1, ["eve"]]);
    assertMatch(report.reason ?? "", /agent eve has no key here/);
    assertEquals(
      at.daemon.received.map(({ body, headers }) => [body.agentId, headers.get("authorization")]).sort(),
      [["bob", "Bearer key-bob"], ["me", "Bearer key-me"]],
    );
    at.env.SIGNET_AGENT_ID = "eve";
    at.env.SIGNET_API_KEY = "key-eve";
    assertEquals((await at.drain()).sent, 1, "its own shell has the key");
    assertEquals(at.daemon.received.at(-1)?.headers.get("authorization"), "Bearer key-eve");
  }));

Deno.test("sweep() does nothing while another process sweeps, and creates no directory", () =>
  place(async (at) => {
    await at.sweep();
    assertEquals(await Deno.stat(at.dir).catch(() => "none"), "none");
    at.begin("s", { caller: ELSEWHERE });
    at.shift = END_AFTER_MS + 60_000;
    const lock = DrainLock.take(at.dir, "sweep.lock");
    assertEquals((await at.sweep()).ended, 0);
    lock?.release();
    assertEquals((await at.sweep()).ended, 1);
  }));

Deno.test({
  name: "sweep() also ends a session that was killed while it sent a checkpoint",
  ignore: GONE === undefined,
  fn: () =>
    place(async (at) => {
      at.begin("silent");
      at.shift = CHECKPOINT_AFTER_MS + 60_000;
      let meanwhile: Promise<unknown> | undefined;
      at.daemon.respond = () => {
        at.begin("killed", { caller: GONE });
        // As a start does, which finds that session.
        meanwhile ??= at.sweep();
        return "ok";
      };
      assertEquals(await at.sweep(), { ended: 1, checkpoints: 1 });
      assertEquals(await meanwhile, { ended: 0, checkpoints: 0 });
      assertEquals(at.live.list().map(({ key }) => key), ["silent"]);
    }),
});

Deno.test({
  name: "sweep() finds a killed session among many that are open and silent for longer",
  ignore: GONE === undefined,
  fn: () =>
    place(async (at) => {
      for (let i = 0; i < 150; i++) at.begin(`open-${i}`, { caller: RUNNING });
      at.shift = 1_000;
      at.begin("killed", { caller: GONE });
      assertEquals(await at.sweep(), { ended: 1, checkpoints: 0 });
      assertEquals(at.live.list().length, 150);
    }),
});

Deno.test({
  name: "sweep() tries once to end a session that it cannot end",
  ignore: GONE === undefined,
  fn: () =>
    place(async (at) => {
      at.begin("s", { caller: GONE });
      Deno.writeTextFileSync(at.spool.dir, "a file where the spool's directory would be");
      assertEquals(await at.sweep(), { ended: 0, checkpoints: 0 });
      assertEquals(at.live.list().map(({ key }) => key), ["s"]);
    }),
});

Deno.test({
  name: "isSweepDue() at a start, right after a sweep, if a program is gone",
  ignore: GONE === undefined,
  fn: () =>
    place(async (at) => {
      const own = { key: "own", url: at.daemon.url, agentId: "default" };
      const due = (atStart: boolean) => isSweepDue(at.dir, own, atStart, at.sweptAt);
      at.begin("own", { caller: RUNNING });
      at.begin("other", { caller: RUNNING });
      at.begin("elsewhere", { caller: ELSEWHERE });
      await at.sweep();
      assertEquals([due(true), due(false)], [false, false]);
      at.begin("killed", { caller: GONE });
      assertEquals([due(true), due(false)], [true, false]);
    }),
});

Deno.test("isSweepDue() needs another session, and time since the last sweep", () =>
  place(async (at) => {
    const own = { key: "own", url: at.daemon.url, agentId: "default" };
    const due = (atStart: boolean, laterMs = 0) => isSweepDue(at.dir, own, atStart, at.sweptAt + laterMs);
    at.begin("own");
    assertEquals([due(true), due(false)], [false, false], "alone");
    at.begin("other");
    assertEquals([due(true), due(false)], [true, true], "no sweep yet");
    await at.sweep();
    assertEquals([due(true), due(true, 6_000), due(false, 6_000), due(false, 700_000)], [
      false,
      true,
      false,
      true,
    ]);
  }));
