import { assertEquals, assertLess } from "@std/assert";
import { FaultyDaemon } from "../../tests/worlds/faulty_daemon.ts";
import { Home, pidsIn, until } from "../../tests/worlds/hook_process.ts";
import { entry } from "../../tests/worlds/sample_entry.ts";

const PROMPT = { session_id: "later", prompt: "hi" };

Deno.test("a hook that reaches the daemon has the backlog delivered, without waiting for it", async () => {
  using daemon = new FaultyDaemon();
  await using home = await Home.make(daemon.url);
  for (const key of ["a", "b", "c"]) home.spool.add(entry(key, { url: daemon.url }));
  await Deno.writeTextFile(
    `${home.state}/drain.json`,
    JSON.stringify({ kind: "offline", failures: 9, until: Date.now() + 200_000 }),
  );
  await home.hook("user-prompt-submit", { stdin: PROMPT });
  await home.delivered();
  assertEquals([...daemon.ended.keys()], ["a", "b", "c"]);
});

Deno.test("hooks do not storm a daemon that takes no events", async () => {
  using daemon = new FaultyDaemon();
  daemon.respond = ({ path }) =>
    path.endsWith("session-end") ? { status: 503, body: '{"error":"later"}' } : "ok";
  await using home = await Home.make(daemon.url);
  home.spool.add(entry("a", { url: daemon.url }));
  for (let i = 0; i < 6; i++) {
    await home.hook("user-prompt-submit", { stdin: PROMPT });
    await home.quiet();
  }
  // On a slow machine the first pause may be over before the last prompt.
  assertLess(pidsIn(`${home.path}/pids`).length, 4);
  assertLess(daemon.received.filter(({ path }) => path.endsWith("session-end")).length, 4);
});

Deno.test("a drain waits a little for a daemon that restarts", async () => {
  using daemon = new FaultyDaemon();
  await using home = await Home.make(daemon.url);
  daemon.stop();
  await home.hook("session-end", { stdin: { session_id: "s" } });
  await until(
    "the drain has found nobody",
    () => home.spool.list().length === 1 && exists(`${home.state}/drain.json`),
  );
  await daemon.start();
  await home.delivered();
  assertEquals([...daemon.ended.keys()], ["s"]);
});

Deno.test("a drain that outlives an uninstall leaves nothing behind", async () => {
  using daemon = new FaultyDaemon();
  await using home = await Home.make(daemon.url);
  daemon.stop();
  await home.hook("session-end", { stdin: { session_id: "s" } });
  await until("the drain waits", () => exists(`${home.state}/drain.waiter`));
  await Deno.remove(`${home.path}/.local`, { recursive: true });
  await until(
    "the drain has ended",
    () => pidsIn(`${home.path}/pids`).every((pid) => !exists(`/proc/${pid}`)),
  );
  assertEquals(exists(`${home.path}/.local`), false);
});

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
