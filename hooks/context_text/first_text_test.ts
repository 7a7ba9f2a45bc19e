import { assertEquals } from "@std/assert";
import { firstText, isStub, promptText, sessionText } from "./first_text.ts";
import type { SessionNote } from "../state/session_notes.ts";

const STUB = "[memory active | /remember | /recall]\n# Current Date & Time\nMonday";
const FULL = "# Identity\nyou are Ada";

Deno.test("firstText() tells a session once, and again only when it has lost it", () => {
  const told: SessionNote = { given: "daemon", inject: "FIRST" };
  type Row = [
    string,
    Parameters<typeof firstText>[0],
    SessionNote,
    string,
    string | undefined,
    string,
    string,
  ];
  const rows: Row[] = [
    ["a new session", {}, {}, FULL, "startup", "ok", FULL],
    ["an empty answer", {}, {}, "", "startup", "empty", ""],
    ["the stub on resume", {}, told, STUB, "resume", "stub", STUB],
    ["the daemon forgot, the harness did not", {}, told, FULL, "resume", "repeat", ""],
    ["a doubled hook", {}, told, FULL, "startup", "repeat", ""],
    ["after a compaction, the stub", {}, told, STUB, "compact", "again", "FIRST"],
    ["after a compaction, a full answer", {}, told, FULL, "compact", "ok", FULL],
    ["after a compaction, without a note", {}, {}, STUB, "compact", "stub", STUB],
    ["after a clear", {}, told, FULL, "clear", "ok", FULL],
    ["this machine's identity is not the daemon's text", {}, { given: "local" }, FULL, "resume", "ok", FULL],
    [
      "a harness without our text in its history",
      { keepsContext: false },
      told,
      STUB,
      "resume",
      "again",
      "FIRST",
    ],
    ["the same, daemon restarted", { keepsContext: false }, told, FULL, "resume", "ok", FULL],
    ["Gemini", { injectAt: "first-prompt" }, {}, FULL, "startup", "pending", ""],
    ["Gemini, resumed", { injectAt: "first-prompt" }, told, STUB, "resume", "stub", ""],
  ];
  for (const [name, profile, note, text, source, outcome, print] of rows) {
    const first = firstText(profile, note, text, source);
    assertEquals([first.outcome, first.print], [outcome, print], name);
  }
});

Deno.test("firstText() notes what it gave, and what still waits", () => {
  const noted = (profile: Parameters<typeof firstText>[0], note: SessionNote, text: string) => {
    const { given, inject, pending, ended } = firstText(profile, note, text, "startup").note;
    return [given, inject, pending, ended];
  };
  assertEquals(noted({}, { ended: true }, FULL), ["daemon", FULL, undefined, false]);
  assertEquals(noted({ injectAt: "first-prompt" }, {}, FULL), [undefined, undefined, FULL, false]);
  assertEquals(noted({}, { given: "daemon", inject: "FIRST" }, STUB), ["daemon", "FIRST", undefined, false]);
});

Deno.test("sessionText() and promptText() read every version's answer and no nonsense", () => {
  assertEquals(sessionText({ inject: "a" }), "a");
  assertEquals(sessionText({ inject: "a", stableSystemPrompt: "b", dynamicContext: "c" }), "b\nc");
  assertEquals(sessionText({ inject: "a", stableSystemPrompt: " ", dynamicContext: "" }), "a");
  assertEquals(sessionText({}), "");
  assertEquals(sessionText(JSON.parse('{"inject":7,"stableSystemPrompt":{}}')), "");
  assertEquals(promptText({ inject: "a", dynamicContext: "b" }), "b");
  assertEquals(promptText(JSON.parse('{"inject":null}')), "");
});

Deno.test("isStub() knows the daemon's second answer, wrapped or not", () => {
  for (const text of [STUB, `<signet-memory-context>\n${STUB}`]) assertEquals(isStub(text), true);
  for (const text of ["", FULL, `${FULL}\n${STUB}`]) assertEquals(isStub(text), false);
});
