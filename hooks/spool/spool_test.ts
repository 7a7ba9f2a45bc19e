import { assertEquals } from "@std/assert";
import { entry } from "../../tests/worlds/sample_entry.ts";
import { parseEntry, Spool, type SpoolCaps } from "./spool.ts";

async function withDir(test: (dir: string) => void | Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await test(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

function sessions(spool: Spool): string[] {
  return spool.list().map((item) => {
    const read = spool.read(item);
    return typeof read === "string" ? read : read.sessionKey ?? "";
  });
}

Deno.test("Spool gives back what was put in, oldest first, private to this user", () =>
  withDir((dir) => {
    const spool = new Spool(dir);
    assertEquals(spool.isEmpty(), true);
    for (const key of ["a", "b", "c"]) spool.add(entry(key, { body: { text: "ä\n".repeat(1000) } }));
    assertEquals(sessions(spool), ["a", "b", "c"]);
    assertEquals(spool.isEmpty(), false);
    const modes = spool.list().map(({ name }) => (Deno.statSync(`${spool.dir}/${name}`).mode ?? 0) & 0o777);
    assertEquals(modes, [0o600, 0o600, 0o600]);
    assertEquals((Deno.statSync(spool.dir).mode ?? 0) & 0o777, 0o700);
    const sizes = spool.list().map(({ name }) => Deno.statSync(`${spool.dir}/${name}`).size);
    assertEquals(spool.list().map(({ bytes }) => bytes), sizes, "the name tells the size");
  }));

Deno.test("Spool keeps the order when the clock goes back", () =>
  withDir((dir) => {
    let now = 2e12;
    const spool = new Spool(dir, () => now);
    spool.add(entry("first"));
    now -= 1e11;
    spool.add(entry("second"));
    now = 0;
    spool.add(entry("third"));
    assertEquals(sessions(spool), ["first", "second", "third"]);
  }));

Deno.test("Spool ignores what it did not write, and knows a broken entry", () =>
  withDir((dir) => {
    const spool = new Spool(dir);
    spool.add(entry("a"));
    Deno.writeTextFileSync(`${spool.dir}/.half.tmp`, "{");
    Deno.writeTextFileSync(`${spool.dir}/notes.txt`, "mine");
    assertEquals(sessions(spool), ["a"]);
    for (
      const text of [
        "",
        "{",
        "[]",
        '{"id":"x"}',
        '{"id":"x","kind":"session-end","path":"http://evil","url":"u"}',
      ]
    ) {
      assertEquals(parseEntry(text), undefined, text);
    }
    const [item] = spool.list();
    if (item) Deno.truncateSync(`${spool.dir}/${item.name}`, 20);
    assertEquals(sessions(spool), ["corrupt"]);
  }));

Deno.test("Spool.reject() parks an entry with its reason", () =>
  withDir((dir) => {
    const spool = new Spool(dir);
    spool.add(entry("a"));
    const [item] = spool.list();
    if (item) spool.reject(item, "HTTP 422: bad body");
    assertEquals([spool.list().length, spool.rejectedCount()], [0, 1]);
    const [parked] = [...Deno.readDirSync(spool.rejectedDir)];
    assertEquals(parked?.name.endsWith(".HTTP-422-bad-body.json"), true);
  }));

Deno.test("Spool drops the oldest beyond its caps and returns how many", () =>
  withDir((dir) => {
    const dropped = (caps: Partial<SpoolCaps>, key: string) =>
      new Spool(dir, Date.now, { count: 100, bytes: 1e9, ageMs: 1e9, ...caps }).add(entry(key)).dropped;
    for (const key of ["a", "b", "c"]) assertEquals(dropped({ count: 3 }, key), 0);
    assertEquals(dropped({ count: 3 }, "d"), 1);
    assertEquals(sessions(new Spool(dir)), ["b", "c", "d"]);
    assertEquals(dropped({ bytes: 1000 }, "e") > 0, true, "bytes count as well");
    assertEquals(sessions(new Spool(dir)).at(-1), "e");
    assertEquals(dropped({ bytes: 1 }, "f") > 0, true);
    assertEquals(sessions(new Spool(dir)), ["f"], "the newest is kept whatever its size");
  }));
