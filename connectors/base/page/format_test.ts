import { assertEquals } from "@std/assert";
import { counted, lasted, size } from "./format.js";

Deno.test("lasted() uses the unit that people would use", () => {
  const cases = [
    [0, "0 ms"],
    [3.14, "3.1 ms"],
    [250.4, "250 ms"],
    [999.6, "1 s"],
    [1_440, "1.4 s"],
    [12_000, "12 s"],
    [119_000, "119 s"],
    [1_320_000, "22 min"],
    [10_800_000, "3 h"],
    [172_800_000, "2 days"],
  ] as const;
  for (const [ms, text] of cases) assertEquals(lasted(ms), text);
});

Deno.test("size() and counted() have a unit and a plural", () => {
  assertEquals([size(12), size(2048), size(3 * 1024 * 1024)], ["12 B", "2.0 kB", "3.0 MB"]);
  assertEquals([counted(1, "session"), counted(0, "session")], ["1 session", "0 sessions"]);
});
