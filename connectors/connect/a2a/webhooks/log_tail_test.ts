import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { LogTail } from "./log_tail.ts";

Deno.test("LogTail reads the last lines of a log that was put aside, then the new one", () => {
  const dir = Deno.makeTempDirSync();
  try {
    const path = `${dir}/log.jsonl`;
    using database = new DatabaseSync(":memory:");
    database.exec(
      "create table positions (file text primary key, ino text not null, position integer not null)",
    );
    const tail = new LogTail(database, path);
    const read = () => {
      const { lines, done } = tail.read();
      done();
      return lines;
    };
    Deno.writeTextFileSync(path, "before\n");
    tail.begin();
    Deno.writeTextFileSync(path, "one\n", { append: true });
    assertEquals(read(), ["one"]);
    Deno.writeTextFileSync(path, "two\n", { append: true });
    Deno.renameSync(path, `${path}.1`);
    assertEquals(read(), [], "there is no log yet");
    Deno.writeTextFileSync(path, "three\n");
    Deno.writeTextFileSync(`${path}.1`, "late\n", { append: true });
    assertEquals([...read(), ...read(), ...read()], ["two", "late", "three"]);
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
});
