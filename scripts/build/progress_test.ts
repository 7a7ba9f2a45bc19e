import { assert, assertEquals } from "@std/assert";
import { progressLine } from "./progress.ts";

Deno.test("progressLine() shows a bar and numbers, and stops at 100%", () => {
  const cases: [number, string][] = [
    [0, `denort  [${"-".repeat(30)}]    0%  0.0 of 40.0 MB`],
    [20e6, `denort  [${"#".repeat(15)}${"-".repeat(15)}]   50%  20.0 of 40.0 MB`],
    [50e6, `denort  [${"#".repeat(30)}]  100%  50.0 of 40.0 MB`],
  ];
  for (const [done, line] of cases) assertEquals(progressLine("denort", done, 40e6), line);
});

Deno.test("progressLine() fits any terminal width", () => {
  for (const columns of [10, 30, 40, 60, 80, 200]) {
    const line = progressLine("denort linux-x64", 20e6, 40e6, columns);
    assert(line.length < columns, `${line.length} characters in ${columns} columns`);
  }
});
