import { assertEquals } from "@std/assert";
import { parseHookArgs } from "../../hooks/args.ts";
import { HARNESSES } from "../registry.ts";
import { harnessOf } from "./entry.ts";

Deno.test("harnessOf() takes the harness that was named, and guesses none", () => {
  const one = HARNESSES.filter(({ id }) => id === "codex");
  const cases: [typeof HARNESSES, string, string | undefined][] = [
    [one, "session-start", "codex"],
    [one, "session-start -H codex", "codex"],
    [one, "session-start -H pi", undefined],
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
