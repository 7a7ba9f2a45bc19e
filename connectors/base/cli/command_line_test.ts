import { assertEquals } from "@std/assert";
import { withThisBinary } from "./command_line.ts";
import { HARNESSES } from "../../registry.ts";
import type { Context } from "./command.ts";

Deno.test("withThisBinary() names the program that the user runs", () => {
  const codex = HARNESSES.find(({ id }) => id === "codex");
  if (!codex) throw new Error("no codex");
  const text = "trust the four of signet-codex (or run: signet-codex install --trust-hooks)";
  const called = (binary: string, known: Context["known"]) => withThisBinary({ binary, known }, codex, text);
  assertEquals(called("signet-codex", [codex]), text);
  assertEquals(
    called("signet-connect", HARNESSES),
    "trust the four of signet-connect (or run: signet-connect install codex --trust-hooks)",
  );
});
