import { assertEquals } from "@std/assert";
import { codex } from "../../codex/harness.ts";
import { claudeCode } from "../../claude_code/harness.ts";
import { checkVersion } from "./check_version.ts";
import { supportAt } from "./support_at.ts";

const first = (version?: string) => {
  const [finding] = checkVersion(codex, version);
  return [finding?.ok, finding?.message];
};

Deno.test("checkVersion() warns below the versions that were tested, and reports the others", () => {
  assertEquals(first("0.100.0"), [
    false,
    "Codex is version 0.100.0, older than every version that was tested (0.128.0 to 0.166.0)",
  ]);
  assertEquals(first("0.166.0"), [true, "Codex is version 0.166.0, which was tested"]);
  assertEquals(first("0.160.2"), [
    true,
    "Codex is version 0.160.2, between versions that were tested (0.128.0 to 0.166.0)",
  ]);
  assertEquals(first("0.200.0"), [
    true,
    "Codex is version 0.200.0, newer than 0.166.0, the newest version that was tested",
  ]);
});

Deno.test("checkVersion() says what an older version lacks", () => {
  const messages = checkVersion(codex, "0.140.0").map(({ message }) => message);
  assertEquals(messages.slice(1), [
    "Codex 0.140.0: session-end, partly: Codex sends no session end: the conversation is saved after each turn",
  ]);
  assertEquals(checkVersion(codex, "0.166.0").length, 1);
});

Deno.test("checkVersion() reports that an unknown version gets the safe set", () => {
  assertEquals(checkVersion(claudeCode, undefined), [{
    ok: true,
    message:
      "The version of Claude Code could not be determined: only hooks that every version knows are used",
  }]);
});

Deno.test("supportAt() adds the limits of every range that a version is below", () => {
  assertEquals(supportAt(codex, "0.166.0"), codex.fidelity);
  const old = supportAt(codex, "0.128.0");
  assertEquals([old["pre-compaction"], old["session-start"]], [{ no: "Codex has no such event" }, "yes"]);
});
