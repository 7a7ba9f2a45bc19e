import { HOST } from "../state/paths.ts";
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
  profile: Pick<AgentProfile, "events" | "refusal" | "goOn" | "topLevel">,
  event: AgentEventName,
  answer: AgentAnswer,
): string {
  const hookEventName = profile.events[event]?.native;
  if (hookEventName === undefined) return "";
  const render = (fields: Record<string, string>) =>
    JSON.stringify(profile.topLevel ? fields : { hookSpecificOutput: { hookEventName, ...fields } });
  // Codex runs the tool after an answer with an unknown key or an empty reason.
  const deny = (reason: string) =>
    render({ permissionDecision: "deny", permissionDecisionReason: reason || "refused" });
  switch (answer.kind) {
    case "nothing":
      return "";
    case "context":
      return render({ additionalContext: answer.text });
    case "refuse":
      if (profile.refusal === "permission") return deny(answer.reason);
      return JSON.stringify({ decision: "deny", reason: answer.reason });
    case "go on": {
      const decision = typeof profile.goOn === "function" ? profile.goOn(HOST.env) : profile.goOn;
      if (decision === "permission") return deny(answer.text);
      if (decision === "context") return render({ additionalContext: answer.text });
      return JSON.stringify({ decision, reason: answer.text });
    }
  }
}
