import { assertEquals } from "@std/assert";
import { allWell, type Result, summary } from "./report.ts";

const good: Result = { harness: "good", checks: [{ title: "a" }, { title: "b" }], seconds: 2 };
const bad: Result = { harness: "bad", checks: [{ title: "a" }, { title: "b", problem: "no" }], seconds: 2 };
const absent: Result = { harness: "absent", checks: [], seconds: 0, notRun: "npm has no such version" };
const empty: Result = { harness: "empty", checks: [], seconds: 0 };
const allowance = new Map([["absent", "withdrawn"]]);

const CASES: [string, Result[], Map<string, string>, boolean][] = [
  ["all checks pass", [good], new Map(), true],
  ["one check fails", [good, bad], new Map(), false],
  ["a harness is not run", [good, absent], new Map(), false],
  ["a harness is not run, and was allowed to be", [good, absent], allowance, true],
  ["a harness without a single check", [empty], new Map(), false],
  ["nothing was played", [], new Map(), false],
];

for (const [title, results, allowed, expected] of CASES) {
  Deno.test(`allWell() is ${expected} where ${title}`, () =>
    assertEquals(allWell(results, allowed), expected));
}

Deno.test("summary() counts per harness and in total, and gives the reason where one was not run", () => {
  assertEquals(summary([good, bad, absent], allowance), [
    "good: 2 passed, 0 failed (2 s)",
    "bad: 1 passed, 1 failed (2 s)",
    "absent: not run: npm has no such version (allowed: withdrawn)",
    "total: 3 passed, 1 failed, 1 not run",
  ]);
});
