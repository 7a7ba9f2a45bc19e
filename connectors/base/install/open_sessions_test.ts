import { assertEquals } from "@std/assert";
import { SessionNotes } from "../../../hooks/state/session_notes.ts";
import { openSessions } from "./open_sessions.ts";

Deno.test("openSessions() lists sessions without an end, newest first, and no old ones", async () => {
  const dir = await Deno.makeTempDir();
  const hour = 3600 * 1000;
  const now = Date.now();
  const note = (key: string, at: number, ended = false) =>
    new SessionNotes(dir, "http://127.0.0.1:1", "a", () => at).write(key, { given: "daemon", ended });
  note("older", now - 2 * hour);
  note("newer", now - hour);
  note("ended", now, true);
  note("yesterday", now - 30 * hour);
  note("test-doctor-1", now);
  await Deno.writeTextFile(`${dir}/sessions/broken.json`, "{");
  assertEquals(openSessions(dir, now).map(({ key }) => key), ["newer", "older"]);
  assertEquals(openSessions(`${dir}/none`, now), []);
  await Deno.remove(dir, { recursive: true });
});
