import { assertEquals, assertGreaterOrEqual } from "@std/assert";
import { isRunning } from "../../connectors/base/testing/is_running.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { FaultyDaemon } from "../../tests/worlds/daemon/faulty_daemon.ts";
import { entry } from "../../tests/worlds/hooks/sample_entry.ts";
import { exists } from "../../tests/worlds/exists.ts";
import { SampleHome } from "../../tests/worlds/hooks/sample_home.ts";
import { claimDrain, drainBegins } from "./detach.ts";

const PROMPT = { session_id: "later", prompt: "hi" };

Deno.test("a hook that reaches the daemon has the backlog delivered, without waiting for it", async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  for (const key of ["a", "b", "c"]) home.spool.add(entry(key, { url: daemon.url }));
  await Deno.writeTextFile(
    `${home.state}/drain.json`,
    JSON.stringify({ kind: "offline", failures: 9, until: Date.now() + 200_000 }),
  );
  await home.hook("user-prompt-submit", { stdin: PROMPT });
  await home.delivered();
  assertEquals([...daemon.ended.keys()], ["a", "b", "c"]);
});

Deno.test("hooks do not storm a daemon that takes no events: each try waits longer than the one before", async () => {
  await using daemon = new FaultyDaemon();
  const tries: number[] = [];
  daemon.respond = ({ path }) => {
    if (!path.endsWith("session-end")) return "ok";
    tries.push(performance.now());
    return { status: 503, body: '{"error":"later"}' };
  };
  await using home = await SampleHome.make(daemon.url);
  home.spool.add(entry("a", { url: daemon.url }));
  for (let i = 0; i < 6; i++) {
    await home.hook("user-prompt-submit", { stdin: PROMPT });
    await home.quiet();
  }
  await until("a second try was made", () => tries.length >= 2);
  // Pauses of 2 s, 4 s, 8 s …; a slower machine only makes them longer. A timer may be a little early.
  tries.slice(1).forEach((at, i) =>
    assertGreaterOrEqual(at - (tries[i] ?? 0), 2000 * 2 ** i - 100, `before try ${i + 2}`)
  );
});

Deno.test("claimDrain() lets one hook start a drain, until that drain begins or must have died", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const start = Date.now();
    const claim = (laterMs: number) => claimDrain(dir, () => start + laterMs);
    assertEquals([claim(0), claim(1000), claim(4000)], [true, false, false]);
    assertEquals([claim(6000), claim(7000)], [true, false], "the first drain never began");
    drainBegins(dir);
    assertEquals([claim(7000), claim(7000)], [true, false], "the drain has begun");
    assertEquals([claim(-60_000), claim(-60_000)], [true, false], "the clock was set back");
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("a drain waits a little for a daemon that restarts", async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  daemon.stop();
  await home.hook("session-end", { stdin: { session_id: "s" } });
  await until(
    "the drain has found no daemon",
    () => home.spool.list().length === 1 && exists(`${home.state}/drain.json`),
  );
  await daemon.start();
  await home.delivered();
  assertEquals([...daemon.ended.keys()], ["s"]);
});

Deno.test("a drain that outlives an uninstall leaves nothing behind", async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  daemon.stop();
  await home.hook("session-end", { stdin: { session_id: "s" } });
  await until("the drain waits", () => exists(`${home.state}/drain.waiter`));
  await until(
    "the state is removed",
    () => Deno.remove(`${home.path}/.local`, { recursive: true }).then(() => true, () => false),
  );
  await until("the drain has ended", () => !home.drains().some(isRunning));
  assertEquals(exists(`${home.path}/.local`), false);
});
