import { assertEquals } from "@std/assert";
import { compareVersions } from "./compare.ts";

const CASES: [string, string, number][] = [
  ["2.1.76", "2.1.100", -1],
  ["2.1.100", "2.1.76", 1],
  ["2.1", "2.1.0", 0],
  ["0.166.0", "0.150.1", 1],
  ["2026.9.6", "2026.10.1", -1],
  ["1.18.33-beta.2", "1.18.33", 0],
  ["nonsense", "0.0.1", -1],
];
for (const [a, b, expected] of CASES) {
  Deno.test(`compareVersions() ${a} and ${b}`, () => {
    assertEquals(Math.sign(compareVersions(a, b)), expected);
  });
}
