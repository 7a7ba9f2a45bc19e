import { assertEquals } from "@std/assert";
import { LOCK_MODES, type LockMode } from "./lock_modes.ts";
import { limitsOf, narrowed, parseLimits, tighterMode } from "./repository_limits.ts";

Deno.test("narrowed() lets a repository take from a list, and never add to it", () => {
  const user = { allow: ["a", "b"], deny: ["x"], stop: ["a"], perTenMinutes: 20, locks: "on" as const };
  assertEquals(
    narrowed(user, { allow: ["b", "c"], deny: ["y"], stop: ["*"], perTenMinutes: 5, locks: "strict" }),
    { allow: ["b"], deny: ["x", "y"], stop: ["a"], perTenMinutes: 5, locks: "strict" },
  );
  assertEquals(
    narrowed({ ...user, allow: [] }, { allow: ["*"], perTenMinutes: 1000, locks: "off", deny: [] }),
    { ...user, allow: [] },
  );
  assertEquals(narrowed({ ...user, allow: ["*"] }, { allow: ["c"] }).allow, ["c"]);
  assertEquals(narrowed(user, {}), user);
});

Deno.test("tighterMode() takes a mode only if it refuses everything that the user's refuses", () => {
  const taken = (mode: LockMode) => LOCK_MODES.filter((wanted) => tighterMode(mode, wanted) === wanted);
  assertEquals(taken("off"), ["off", "on", "auto", "strict"]);
  assertEquals(taken("on"), ["on", "auto", "strict"]);
  assertEquals(taken("auto"), ["auto"]);
  assertEquals(taken("strict"), ["strict"]);
  assertEquals(tighterMode("auto", undefined), "auto");
});

Deno.test("limitsOf() joins the files of a repository, and survives a session's note", () => {
  assertEquals(limitsOf([{ config: { rules: ["a"], flow: "oneway", transport: "nats://x" } }]), undefined);
  const limits = limitsOf([{ config: { allow: ["a", "b"], locks: "strict" } }, {
    config: { allow: ["b"], locks: "off", deny: ["z"] },
  }]);
  assertEquals(limits, {
    allow: ["b"],
    deny: ["z"],
    stop: undefined,
    perTenMinutes: undefined,
    locks: "strict",
  });
  assertEquals(parseLimits(JSON.parse(JSON.stringify(limits))), limits);
  assertEquals(parseLimits("garbage"), undefined);
});
