import { assertEquals, assertThrows } from "@std/assert";
import { parseObject } from "../json.ts";
import { readStateObject, writeDurable, writeNote } from "./state_file.ts";

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
