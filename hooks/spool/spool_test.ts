import { assertEquals, assertMatch } from "@std/assert";
import { entry } from "../../tests/worlds/hooks/sample_entry.ts";
import { describeDropped } from "./dropped.ts";
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
      assertEquals(parseEntry(text), "corrupt", text);
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

Deno.test("Spool drops the oldest beyond its caps, and says how many and why", () =>
  withDir((dir) => {
    const add = (caps: Partial<SpoolCaps>, key: string) =>
      new Spool(dir, Date.now, { count: 100, bytes: 1e9, rejected: 2, ...caps }).add(entry(key)).dropped;
    for (const key of ["a", "b", "c"]) assertEquals(add({ count: 3 }, key), 0);
    assertEquals(new Spool(dir).dropped.read(), []);
    assertEquals(add({ count: 3 }, "d"), 1);
    assertEquals(sessions(new Spool(dir)), ["b", "c", "d"]);
    assertEquals(add({ bytes: 1000 }, "e") > 0, true, "bytes count as well");
    assertEquals(sessions(new Spool(dir)).at(-1), "e");
    assertEquals(add({ bytes: 1 }, "f") > 0, true);
    assertEquals(sessions(new Spool(dir)), ["f"], "the newest is kept whatever its size");
    const [dropped, ...others] = new Spool(dir).dropped.read();
    assertEquals([dropped?.reason, dropped?.count, others], ["the spool was full", 5, []]);
    if (dropped) assertMatch(describeDropped(dropped), /^5 events were dropped because the spool was full; /);
  }));

Deno.test("Spool.reject() keeps a bounded number, and says what it dropped", () =>
  withDir((dir) => {
    const spool = new Spool(dir, Date.now, { count: 100, bytes: 1e9, rejected: 2 });
    for (const key of ["a", "b", "c", "d", "e"]) spool.add(entry(key));
    for (const item of spool.list()) spool.reject(item, "HTTP 400");
    assertEquals(spool.rejectedCount(), 2);
    const [dropped] = spool.dropped.read();
    assertEquals([dropped?.reason, dropped?.count], ["rejected/ was full", 3]);
  }));

Deno.test("Spool accepts events at any time that a clock can show", () =>
  withDir((dir) => {
    // 1960, 1970, 2000, 2099, and the last moments that a name and a Date can express.
    const times = [-3e11, 0, 946_684_800_000, 4_070_908_800_000, 999_999_999_999_999, 8.64e15, 1];
    for (const [i, now] of times.entries()) new Spool(dir, () => now).add(entry(`s${i}`));
    assertEquals(sessions(new Spool(dir)), times.map((_, i) => `s${i}`));
  }));

Deno.test("parseEntry() takes only what can be sent, and leaves a newer format alone", () => {
  const text = (fields: object) => JSON.stringify({ v: 1, ...entry("s"), ...fields });
  assertEquals(typeof parseEntry(text({})), "object");
  assertEquals(parseEntry(text({ v: 2, kind: "another", body: 7 })), "newer");
  for (
    const fields of [
      { id: "a\nb" },
      { id: "" },
      { harness: "p\u00eb\u4e00" },
      { harness: "p\r\nx-admin: 1" },
      { agentId: "a\u0000" },
      { agentId: "../x" },
      { path: "https://evil.example/api/" },
      { body: null },
    ]
  ) assertEquals(parseEntry(text(fields)), "corrupt", JSON.stringify(fields));
});
