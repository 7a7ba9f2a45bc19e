import { assertEquals } from "@std/assert";
import { parseHookArgs } from "../../hooks/args.ts";
import { HARNESSES } from "../registry.ts";
import { calledAs, harnessOf } from "./entry.ts";

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

Deno.test("calledAs() is the harness whose program has the name, whatever the directory", () => {
  const cases: [string, string | undefined][] = [
    ["signet-pi", "pi"],
    ["/home/u/.local/bin/signet-codex", "codex"],
    ["./signet-claude-code", "claude-code"],
    ["signet-connect", undefined],
    ["/home/u/signet-pi/signet-connect", undefined],
    ["signet-pi-linux-x64", undefined],
    ["", undefined],
  ];
  for (const [argv0, expected] of cases) assertEquals(calledAs(HARNESSES, argv0)?.id, expected, argv0);
});
