import { assertEquals } from "@std/assert";
import { parseHookArgs } from "../../hooks/args.ts";
import { HARNESSES } from "../registry.ts";
import { harnessOf } from "./entry.ts";

Deno.test("harnessOf() returns the named harness, and guesses none", () => {
  const codexOnly = HARNESSES.filter(({ id }) => id === "codex");
  const cases: [typeof HARNESSES, string, string | undefined][] = [
    [codexOnly, "session-start", "codex"],
    [codexOnly, "session-start -H codex", "codex"],
    [codexOnly, "session-start -H pi", undefined],
    [HARNESSES, "session-start -H codex", "codex"],
    [HARNESSES, "session-start --harness=codex", "codex"],
    [HARNESSES, "session-start --harness codex", "codex"],
    [HARNESSES, "session-start", undefined],
    [HARNESSES, "session-start -H nope", undefined],
    [HARNESSES, "drain -H pi", "pi"],
  ];
  for (const [harnesses, line, expected] of cases) {
    assertEquals(harnessOf(harnesses, parseHookArgs(line.split(" ")))?.id, expected, line);
  }
});
