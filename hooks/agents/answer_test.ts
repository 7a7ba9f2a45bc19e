import { assertEquals } from "@std/assert";
import { renderAnswer } from "./answer.ts";
import type { AgentProfile } from "./profile.ts";

type Form = Pick<AgentProfile, "events" | "refusal" | "goOn" | "topLevel">;

const EVENTS = { "pre-tool": { native: "Pre", timeoutMs: 1 }, "turn-end": { native: "Stop", timeoutMs: 1 } };
const CLAUDE: Form = { events: EVENTS, refusal: "permission", goOn: "block" };
const COPILOT: Form = { ...CLAUDE, topLevel: true };
const KIMI: Form = { ...CLAUDE, goOn: "permission" };
const GEMINI: Form = { events: EVENTS, refusal: "decision", goOn: "deny" };

const DENY = { permissionDecision: "deny", permissionDecisionReason: "why" };

for (
  const [name, form, refused, goesOn, context] of [
    ["Claude Code", CLAUDE, { hookSpecificOutput: { hookEventName: "Pre", ...DENY } }, {
      decision: "block",
      reason: "why",
    }, { hookSpecificOutput: { hookEventName: "Pre", additionalContext: "text" } }],
    ["Copilot CLI", COPILOT, DENY, { decision: "block", reason: "why" }, { additionalContext: "text" }],
    ["Kimi Code", KIMI, { hookSpecificOutput: { hookEventName: "Pre", ...DENY } }, {
      hookSpecificOutput: { hookEventName: "Stop", ...DENY },
    }, { hookSpecificOutput: { hookEventName: "Pre", additionalContext: "text" } }],
    ["Gemini CLI", GEMINI, { decision: "deny", reason: "why" }, { decision: "deny", reason: "why" }, {
      hookSpecificOutput: { hookEventName: "Pre", additionalContext: "text" },
    }],
  ] as const
) {
  Deno.test(`renderAnswer() has the form that ${name} reads`, () => {
    assertEquals(JSON.parse(renderAnswer(form, "pre-tool", { kind: "refuse", reason: "why" })), refused);
    assertEquals(JSON.parse(renderAnswer(form, "turn-end", { kind: "go on", text: "why" })), goesOn);
    assertEquals(JSON.parse(renderAnswer(form, "pre-tool", { kind: "context", text: "text" })), context);
    assertEquals(renderAnswer(form, "pre-tool", { kind: "nothing" }), "");
    assertEquals(renderAnswer(form, "waiting", { kind: "context", text: "text" }), "", "no such event");
  });
}

Deno.test("renderAnswer() lets a harness choose by its environment how a turn goes on", () => {
  const newer: Form = { ...CLAUDE, goOn: () => "context" };
  assertEquals(JSON.parse(renderAnswer(newer, "turn-end", { kind: "go on", text: "why" })), {
    hookSpecificOutput: { hookEventName: "Stop", additionalContext: "why" },
  });
});
