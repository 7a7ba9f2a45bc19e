import { assertEquals } from "@std/assert";
import type { Lock } from "../../../../hooks/agents/locks/lock.ts";
import { blocking, holds, leasesText, parseLeases, withLease, withoutLease } from "./repo_leases.ts";

function lock(path: string, session: string, scope: Lock["scope"] = "file"): Lock {
  return {
    v: 1,
    path: `/r/${path}`,
    scope,
    kind: "manual",
    intent: "",
    taken: 0,
    leaseMs: 1_000,
    token: session,
    agentId: "a",
    harness: "codex",
    session,
    machine: "m",
    reach: "exact",
  };
}

Deno.test("blocking() finds the lease of another session on the same path, above or below it", () => {
  const leases = withLease(withLease([], lock("a/b.ts", "one"), 0), lock("d", "two", "tree"), 0);
  const blocker = (wanted: Lock, now = 0) => blocking(leases, wanted, now)?.lock.session;
  assertEquals(blocker(lock("a/b.ts", "x")), "one");
  assertEquals(blocker(lock("a/b.ts", "one")), undefined, "its own");
  assertEquals(blocker(lock("a", "x", "tree")), "one");
  assertEquals(blocker(lock("a", "x")), undefined, "a file of that name");
  assertEquals(blocker(lock("d/e/f.ts", "x")), "two");
  assertEquals(blocker(lock("de.ts", "x")), undefined);
  assertEquals(blocker(lock("a/b.ts", "x"), 999), "one");
  assertEquals(blocker(lock("a/b.ts", "x"), 1_000), undefined, "it has ended");
});

Deno.test("withLease() and withoutLease() change one lease, and drop those that have ended", () => {
  const first = withLease([], lock("a", "one"), 0);
  const both = withLease(first, lock("b", "two"), 500);
  assertEquals(both.length, 2);
  assertEquals(withLease(both, lock("a", "one"), 900).map(({ until }) => until), [1_500, 1_900]);
  assertEquals(withoutLease(both, lock("a", "two"), 900), both, "another session's");
  assertEquals(withoutLease(both, lock("b", "two"), 1_200), []);
  assertEquals([holds(both, lock("a", "one"), 999), holds(both, lock("a", "one"), 1_001)], [true, false]);
});

Deno.test("parseLeases() reads what leasesText() writes, and nothing from garbage", () => {
  const leases = withLease([], lock("a", "one"), 5);
  assertEquals(parseLeases(leasesText(leases)).map(({ lock: { path }, until }) => [path, until]), [[
    "/r/a",
    1_005,
  ]]);
  for (const text of ["", "[]", "null", '{"leases":1}', '{"leases":[1,{"lock":{}},{"until":3}]}']) {
    assertEquals(parseLeases(text), [], text);
  }
});
