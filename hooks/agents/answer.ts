import type { AgentEventName } from "./event.ts";
import type { AgentProfile } from "./profile.ts";

/** What a hook of the mesh tells its harness. None of it ever approves anything. */
export type AgentAnswer =
  | { readonly kind: "nothing" }
  /** Text for the model. */
  | { readonly kind: "context"; readonly text: string }
  /** The tool must not run, and why. */
  | { readonly kind: "refuse"; readonly reason: string }
  /** The turn goes on with this text. */
  | { readonly kind: "go on"; readonly text: string };

/** The answer as the harness reads it on stdout; "" prints nothing. */
export function renderAnswer(
  profile: Pick<AgentProfile, "events" | "refusal" | "goOn">,
  event: AgentEventName,
  answer: AgentAnswer,
): string {
  const hookEventName = profile.events[event]?.native;
  if (hookEventName === undefined) return "";
  switch (answer.kind) {
    case "nothing":
      return "";
    case "context":
      return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: answer.text } });
    case "refuse":
      if (profile.refusal === "decision") return JSON.stringify({ decision: "deny", reason: answer.reason });
      // Codex runs the tool after an answer with an unknown key or an empty reason.
      return JSON.stringify({
        hookSpecificOutput: {
          hookEventName,
          permissionDecision: "deny",
          permissionDecisionReason: answer.reason || "refused",
        },
      });
    case "go on":
      return JSON.stringify({ decision: profile.goOn, reason: answer.text });
  }
}
