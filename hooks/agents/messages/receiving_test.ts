import { assertEquals } from "@std/assert";
import { isReceiving, noteReceiving } from "./receiving.ts";

Deno.test("noteReceiving() does not bring the directory of the mesh back after an uninstall", async () => {
  const home = await Deno.makeTempDir();
  const dir = `${home}/agents`;
  noteReceiving(dir, "http://127.0.0.1:9", "work");
  assertEquals([...Deno.readDirSync(home)], []);
  await Deno.mkdir(dir);
  noteReceiving(dir, "http://127.0.0.1:9", "work");
  noteReceiving(dir, "http://127.0.0.1:9", "work");
  assertEquals(isReceiving(dir, "http://127.0.0.1:9", "work"), true);
  assertEquals(isReceiving(dir, "http://127.0.0.1:9", "home"), false);
  await Deno.remove(home, { recursive: true });
});
