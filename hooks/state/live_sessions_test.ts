import { assertEquals } from "@std/assert";
import { LiveSessions } from "./live_sessions.ts";

const session = (key: string, agentId = "a") => ({
  key,
  url: "http://127.0.0.1:1",
  agentId,
  cwd: "/home/u/p",
});

async function withDir(test: (dir: string) => void): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    test(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("LiveSessions lists what has begun and not ended, longest silent first", () =>
  withDir((dir) => {
    let now = 1_700_000_000_000;
    const live = new LiveSessions(dir, () => now);
    for (const key of ["../a", "b", "c"]) {
      live.begin(session(key));
      now += 1000;
    }
    assertEquals(live.touch(session("../a")), true);
    live.end(session("c"));
    assertEquals(live.list().map(({ key, hookAt }) => [key, hookAt]), [
      ["b", 1_700_000_001_000],
      ["../a", 1_700_000_003_000],
    ]);
  }));

Deno.test("LiveSessions.touch() is false for a session that has not begun", () =>
  withDir((dir) => {
    const live = new LiveSessions(dir);
    live.begin(session("s", "me"));
    assertEquals([live.touch(session("s", "me")), live.touch(session("s", "you"))], [true, false]);
  }));

Deno.test("LiveSessions.end() spares a session that had a hook since", () =>
  withDir((dir) => {
    let now = 1_700_000_000_000;
    const live = new LiveSessions(dir, () => now);
    live.begin(session("s"));
    const [listed] = live.list();
    now += 5000;
    live.touch(session("s"));
    assertEquals(listed && live.isUnchanged(listed), false);
    live.end(session("s"), now - 1);
    assertEquals(live.list().length, 1);
    live.end(session("s"), now);
    assertEquals(live.list().length, 0);
  }));

Deno.test("LiveSessions.hasOthers() does not count the session itself", () =>
  withDir((dir) => {
    const live = new LiveSessions(dir);
    assertEquals(live.hasOthers(session("s")), false);
    live.begin(session("s"));
    assertEquals(live.hasOthers(session("s")), false);
    live.begin(session("t"));
    assertEquals(live.hasOthers(session("s")), true);
  }));

Deno.test("LiveSessions removes a malformed file, and an old temporary one", () =>
  withDir((dir) => {
    const live = new LiveSessions(dir);
    live.begin(session("s"));
    for (const text of ["", "{}", '{"key":1}']) {
      Deno.writeTextFileSync(`${dir}/live/bad-00000000.json`, text);
      assertEquals(live.list().map(({ key }) => key), ["s"]);
    }
    Deno.writeTextFileSync(`${dir}/live/x.json.0123abcd.tmp`, "");
    live.list();
    assertEquals([...Deno.readDirSync(`${dir}/live`)].length, 2, "it may be in use");
    new LiveSessions(dir, () => Date.now() + 2 * 3600 * 1000).list();
    assertEquals([...Deno.readDirSync(`${dir}/live`)].length, 1);
  }));
