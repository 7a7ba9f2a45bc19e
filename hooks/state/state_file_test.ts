import { assertEquals, assertThrows } from "@std/assert";
import { parseObject } from "../json.ts";
import {
  ensureDir,
  neverCreateAgain,
  overwrite,
  readStateObject,
  writeDurable,
  writeNote,
} from "./state_file.ts";

async function withDir(test: (dir: string) => void): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    test(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("writeNote() replaces a file, makes its directory, and leaves nothing else", () =>
  withDir((dir) => {
    const path = `${dir}/a/b/note.json`;
    writeNote(path, '{"v":1}');
    writeNote(path, '{"v":2}');
    assertEquals(readStateObject(path), { v: 2 });
    assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
    assertEquals([...Deno.readDirSync(`${dir}/a/b`)].length, 1);
  }));

Deno.test("overwrite() leaves the new text alone, makes its directory, and waits for no FIFO", () =>
  withDir((dir) => {
    const path = `${dir}/a/note.json`;
    for (const text of ["a longer text", "short", "", "again"]) {
      overwrite(path, text);
      assertEquals(Deno.readTextFileSync(path), text);
    }
    assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
    assertEquals([...Deno.readDirSync(`${dir}/a`)].length, 1);
    new Deno.Command("mkfifo", { args: [`${dir}/fifo`] }).outputSync();
    overwrite(`${dir}/fifo`, "text");
  }));

Deno.test("writeDurable() leaves no half file where it fails", () =>
  withDir((dir) => {
    Deno.mkdirSync(`${dir}/taken`);
    Deno.writeTextFileSync(`${dir}/taken/x`, "");
    assertThrows(() => writeDurable(dir, "taken", "text"));
    assertThrows(() => writeDurable(`${dir}/missing`, "name", "text"), Deno.errors.NotFound);
    assertEquals([...Deno.readDirSync(dir)].map(({ name }) => name), ["taken"]);
  }));

Deno.test("parseObject() takes JSON objects only", () => {
  assertEquals(parseObject('{"a":1}'), { a: 1 });
  for (const text of ["", "{", "[]", "null", "1", '"x"']) assertEquals(parseObject(text), undefined);
});

Deno.test("ensureDir() makes directories below a given one, and never that one again", () =>
  withDir((dir) => {
    const state = `${dir}/state/sample`;
    neverCreateAgain(state);
    ensureDir(`${state}/live`);
    neverCreateAgain(state);
    ensureDir(`${state}/a/b`);
    ensureDir(`${state}/a/b`);
    assertEquals((Deno.statSync(`${state}/a/b`).mode ?? 0) & 0o777, 0o700);
    ensureDir(`${dir}/state/sample-2/c`);
    Deno.removeSync(`${dir}/state`, { recursive: true });
    assertThrows(() => ensureDir(`${state}/live`), Deno.errors.NotFound);
    assertThrows(() => writeNote(`${state}/note.json`, "{}"), Deno.errors.NotFound);
    assertEquals([...Deno.readDirSync(dir)], []);
  }));
