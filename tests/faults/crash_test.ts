import { assertEquals } from "@std/assert";
import { type Fault, FaultyDaemon } from "../worlds/daemon/faulty_daemon.ts";
import { DEEP } from "../../connectors/base/testing/deep.ts";
import { SEEDED, seededRandom } from "../../connectors/base/testing/seed.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { Backoff } from "../../hooks/spool/backoff.ts";
import { SampleHome } from "../worlds/hooks/sample_home.ts";
import { entry } from "../worlds/hooks/sample_entry.ts";

const random = seededRandom();

interface Figures {
  sent: number;
  faults: number;
  lost: number;
  doubled: number;
}

/** Every session that was accepted took effect, and no retry came under another key. */
function figures(daemon: FaultyDaemon, accepted: string[], faults: number): Figures {
  const lost = accepted.filter((key) => !daemon.ended.has(key)).length;
  // The daemon counts a session's end once; a second key would be a second event.
  const doubled = [...daemon.ended.values()].filter(({ keys }) => keys.size !== 1).length;
  return { sent: accepted.length, faults, lost, doubled };
}

function print(name: string, { sent, faults, lost, doubled }: Figures): void {
  console.log(`${name}: ${sent} events sent, ${faults} faults injected, ${lost} lost, ${doubled} doubled`);
}

const QUICK_FAULTS: readonly Fault[] = [
  "reset",
  "reset after",
  { status: 500, body: '{"error":"Hook execution failed"}' },
  { status: 503, body: '{"error":"shutting down"}' },
  { status: 429, body: "{}", headers: { "retry-after": "1" } },
  { status: 200, body: "<html>" },
];

function oneOf(faults: readonly Fault[]): Fault {
  return faults[Math.floor(random() * faults.length)] ?? "ok";
}

const AT_ONCE = DEEP ? 50 : 12;

Deno.test(`${AT_ONCE} session-ends at once each arrive once`, async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  const keys = Array.from({ length: AT_ONCE }, (_, i) => `at-once-${i}`);
  // From files: a test that starts many programs may feed the first one only seconds later.
  const ended = await Promise.all(keys.map(async (session_id) => {
    const file = `${home.path}/${session_id}.json`;
    await Deno.writeTextFile(file, JSON.stringify({ session_id, cwd: "/home/u/proj" }));
    return home.hook("session-end", {
      before: ["sh", "-c", 'file=$1; shift; exec "$@" < "$file"', "sh", file],
    });
  }));
  assertEquals(ended.filter(({ code, stdout, stderr }) => code !== 0 || stdout !== "" || stderr !== ""), []);
  await home.delivered();
  await home.quiet();
  const result = figures(daemon, keys, 0);
  print("all at once", result);
  assertEquals(home.outcomes("session-end").filter((outcome) => outcome !== "spooled"), []);
  assertEquals([result.lost, result.doubled], [0, 0]);
  assertEquals(
    [...daemon.ended.values()].every(({ asked }) => asked === 1),
    true,
    "nothing was sent twice",
  );
  console.log(`all at once: ${home.drains().length} drains were started`);
});

Deno.test(`drains that are killed at any moment lose nothing and double nothing ${SEEDED}`, async () => {
  const rounds = DEEP ? 200 : 7;
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  const accepted: string[] = [];
  let kills = 0;
  daemon.respond = () => random() < 0.25 ? oneOf(["hang", ...QUICK_FAULTS]) : "ok";
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < 5; i++) {
      const key = `killed-${round}-${i}`;
      home.spool.add(entry(key, { url: daemon.url }));
      accepted.push(key);
    }
    const drain = home.start(["hook", "drain"]);
    const before = daemon.received.length;
    const wanted = Math.floor(random() * 5);
    // Some die while they start, some in the middle of a request, some between two.
    const end = Promise.withResolvers<void>();
    const timer = setTimeout(end.resolve, 300);
    await Promise.race([
      drain.status,
      end.promise,
      until("the daemon is busy", () => daemon.received.length > before + wanted, 5000).catch(() => {}),
    ]);
    clearTimeout(timer);
    try {
      drain.kill("SIGKILL");
      kills++;
    } catch {
      // It had ended before.
    }
    await drain.status;
    await Promise.all([drain.stdout.cancel(), drain.stderr.cancel()]);
    // A daemon that restarts in the middle.
    if (round % 7 === 3) {
      daemon.stop();
      await daemon.start();
    }
    await Deno.remove(`${home.state}/drain.json`).catch(() => {});
  }
  const injected = daemon.faults;
  daemon.respond = () => "ok";
  const last = home.start(["hook", "drain"]);
  await Promise.all([last.status, last.stdout.cancel(), last.stderr.cancel()]);
  await home.delivered();
  const result = figures(daemon, accepted, injected + kills);
  print(`killed drains (${kills} SIGKILLs)`, result);
  assertEquals([result.lost, result.doubled, home.spool.rejectedCount()], [0, 0, 0]);
});

Deno.test(`sessions that end while the daemon comes and goes all arrive ${SEEDED}`, async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  const accepted: string[] = [];
  let stops = 0;
  let requests = 0;
  daemon.respond = () => requests++ % 2 === 0 ? oneOf(QUICK_FAULTS) : "ok";
  for (let i = 0; i < (DEEP ? 40 : 8); i++) {
    if (i % 4 === 1) {
      daemon.stop();
      stops++;
    }
    if (i % 4 === 3) await daemon.start();
    const key = `restart-${i}`;
    const ended = await home.hook("session-end", { stdin: { session_id: key, cwd: "/home/u/proj" } });
    assertEquals([ended.code, ended.stdout, ended.stderr], [0, "", ""]);
    accepted.push(key);
    await home.quiet();
  }
  const injected = daemon.faults + stops;
  daemon.respond = () => "ok";
  const backoff = new Backoff(home.state);
  // Any later hook that reaches the daemon starts the delivery, and does not wait for it.
  await until("everything has arrived", async () => {
    await until("the next try is due", () => home.spool.isEmpty() || backoff.read().waitMs === 0);
    await home.hook("user-prompt-submit", { stdin: { session_id: "later", prompt: "hi" } });
    await home.quiet();
    return home.spool.isEmpty();
  });
  const result = figures(daemon, accepted, injected);
  print("daemon restarts", result);
  assertEquals([result.lost, result.doubled], [0, 0]);
});
