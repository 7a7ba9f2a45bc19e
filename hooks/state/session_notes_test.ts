import { assertEquals } from "@std/assert";
import { SessionNotes } from "./session_notes.ts";

const DAY = 24 * 3600 * 1000;

async function withDir(test: (dir: string) => void): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    test(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("SessionNotes reads a note only for the same agent at the same daemon", () =>
  withDir((dir) => {
    const key = "../../etc/passwd";
    new SessionNotes(dir, "http://a", "me").write(key, { given: "daemon", inject: "hello" });
    const read = (url: string, agent: string, k = key) => new SessionNotes(dir, url, agent).read(k).inject;
    assertEquals(read("http://a", "me"), "hello");
    assertEquals(read("http://b", "me"), undefined);
    assertEquals(read("http://a", "you"), undefined);
    assertEquals(read("http://a", "me", "other"), undefined);
    assertEquals([...Deno.readDirSync(`${dir}/sessions`)].map(({ name }) => /^etcpasswd-/.test(name)), [
      true,
    ]);
  }));

Deno.test("SessionNotes forgets after a week", () =>
  withDir((dir) => {
    let now = 1e12;
    const notes = new SessionNotes(dir, "u", "a", () => now);
    notes.write("s", { given: "daemon" });
    now += 6 * DAY;
    assertEquals(notes.read("s").given, "daemon");
    now += 2 * DAY;
    assertEquals(notes.read("s").given, undefined);
  }));

Deno.test("SessionNotes.prune() keeps the newest two hundred", () =>
  withDir((dir) => {
    const notes = new SessionNotes(dir, "u", "a");
    for (let i = 0; i < 210; i++) notes.write(`s${i}`, { given: "daemon" });
    notes.prune();
    assertEquals([...Deno.readDirSync(`${dir}/sessions`)].length, 200);
  }));

Deno.test("SessionNotes.prune() keeps every note whatever the clock says", () =>
  withDir((dir) => {
    for (const now of [0, Date.now(), 4e12]) {
      new SessionNotes(dir, "u", "a", () => now).write(`s${now}`, { given: "daemon" });
    }
    for (const now of [0, Date.now(), 4e12]) new SessionNotes(dir, "u", "a", () => now).prune();
    assertEquals([...Deno.readDirSync(`${dir}/sessions`)].length, 3);
  }));

Deno.test("SessionNotes reads garbage as nothing", () =>
  withDir((dir) => {
    const notes = new SessionNotes(dir, "u", "a");
    notes.write("s", { given: "daemon" });
    const [file] = [...Deno.readDirSync(`${dir}/sessions`)];
    for (
      const text of ["", "null", '{"key":"s"}', '{"key":"s","scope":"u a","at":"x","given":7,"inject":[]}']
    ) {
      Deno.writeTextFileSync(`${dir}/sessions/${file?.name}`, text);
      assertEquals(notes.read("s").inject, undefined);
    }
  }));

Deno.test("SessionNotes knows when it cannot keep a note", () => {
  const notes = new SessionNotes("/proc/nowhere", "u", "a");
  notes.write("s", { given: "daemon" });
  assertEquals([notes.works, notes.read("s")], [false, {}]);
});
