import { assertEquals } from "@std/assert";
import { isStub, promptText, sessionStartText, startText } from "./start_text.ts";
import type { SessionStartAnswer } from "../daemon/wire.ts";
import type { SessionNote } from "../state/session_notes.ts";

const STUB = "[memory active | /remember | /recall]\n# Current Date & Time\nMonday";
const FULL = "# Identity\nyou are Ada";

Deno.test("startText() prints the text once, and again only when the session has lost it", () => {
  const seen: SessionNote = { given: "daemon", inject: "FIRST" };
  type Row = [
    string,
    Parameters<typeof startText>[0],
    SessionNote,
    string,
    string | undefined,
    string,
    string,
  ];
  const rows: Row[] = [
    ["a new session", {}, {}, FULL, "startup", "ok", FULL],
    ["an empty answer", {}, {}, "", "startup", "empty", ""],
    ["the stub on resume", {}, seen, STUB, "resume", "stub", STUB],
    ["the daemon forgot, the harness did not", {}, seen, FULL, "resume", "repeat", ""],
    ["a doubled hook", {}, seen, FULL, "startup", "repeat", ""],
    ["after a compaction, the stub", {}, seen, STUB, "compact", "again", "FIRST"],
    ["after a compaction, a full answer", {}, seen, FULL, "compact", "ok", FULL],
    ["after a compaction, without a note", {}, {}, STUB, "compact", "stub", STUB],
    ["after a clear", {}, seen, FULL, "clear", "ok", FULL],
    ["this machine's identity is not the daemon's text", {}, { given: "local" }, FULL, "resume", "ok", FULL],
    [
      "a harness without our text in its history",
      { keepsContext: false },
      seen,
      STUB,
      "resume",
      "again",
      "FIRST",
    ],
    ["the same, daemon restarted", { keepsContext: false }, seen, FULL, "resume", "ok", FULL],
    ["Gemini", { injectAt: "first-prompt" }, {}, FULL, "startup", "pending", ""],
    ["Gemini, resumed", { injectAt: "first-prompt" }, seen, STUB, "resume", "stub", ""],
  ];
  for (const [name, profile, note, text, source, outcome, print] of rows) {
    const start = startText(profile, note, { text, stub: text === STUB }, source);
    assertEquals([start.outcome, start.print], [outcome, print], name);
  }
});

Deno.test("startText() records what it printed and what is pending", () => {
  const noted = (profile: Parameters<typeof startText>[0], note: SessionNote, text: string) => {
    const { given, inject, pending, ended } =
      startText(profile, note, { text, stub: text === STUB }, "startup").note;
    return [given, inject, pending, ended];
  };
  assertEquals(noted({}, { ended: true }, FULL), ["daemon", FULL, undefined, false]);
  assertEquals(noted({ injectAt: "first-prompt" }, {}, FULL), [undefined, undefined, FULL, false]);
  assertEquals(noted({}, { given: "daemon", inject: "FIRST" }, STUB), ["daemon", "FIRST", undefined, false]);
});

Deno.test("sessionStartText() and promptText() read every version's answer and ignore wrong types", () => {
  assertEquals(sessionStartText({ inject: "a" }), "a");
  assertEquals(sessionStartText({ inject: "a", stableSystemPrompt: "b", dynamicContext: "c" }), "b\nc");
  assertEquals(sessionStartText({ inject: "a", stableSystemPrompt: " ", dynamicContext: "" }), "a");
  assertEquals(sessionStartText({}), "");
  assertEquals(sessionStartText(JSON.parse('{"inject":7,"stableSystemPrompt":{}}')), "");
  assertEquals(promptText({ inject: "a", dynamicContext: "b" }), "b");
  assertEquals(promptText(JSON.parse('{"inject":null}')), "");
});

Deno.test("isStub() recognises the daemon's second answer by what it lacks", () => {
  const identity = { name: "Agent" };
  const stubs: SessionStartAnswer[] = [
    { identity, memories: [], inject: STUB },
    { identity, memories: [], inject: `<signet-memory-context>\n${STUB}\n</signet-memory-context>` },
    { memories: [], inject: STUB },
    { identity, memories: [], inject: "[signet active]\n# Current Date & Time\nMonday" },
  ];
  for (const answer of stubs) assertEquals(isStub(answer), true, answer.inject);
  // The full text of 0.58 begins as the stub does.
  const full = `${STUB}\n\n## Soul\n\ncalm and exact`;
  const memory = { id: "m", content: "likes tea" };
  const others: SessionStartAnswer[] = [
    { identity: { name: "Ada" }, memories: [], inject: full },
    { identity, memories: [memory], inject: full },
    { identity, memories: [], recentContext: "# Working memory", inject: full },
    { identity, memories: [], inject: `${STUB}\n\n## Soul\n\n${"calm ".repeat(80)}` },
    // A new agent: no name, no memories, and an identity that is shorter than a stub may be.
    { identity, memories: [], inject: full },
    { memories: [], stableSystemPrompt: "[signet active]", dynamicContext: "## Soul\n\ncalm" },
    { memories: [], inject: "" },
    {},
  ];
  for (const answer of others) assertEquals(isStub(answer), false, answer.inject);
});
