import { assertEquals } from "@std/assert";
import { truncate } from "./truncate.ts";

Deno.test("truncate() marks a cut and does not split a surrogate pair", () => {
  assertEquals(truncate("short", 5), "short");
  assertEquals(truncate("abc def", 4), "abc…");
  assertEquals(truncate("a😀b", 2), "a…");
  assertEquals(truncate("abcdef", 3, "\n[truncated]"), "abc\n[truncated]");
});
