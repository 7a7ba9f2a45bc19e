import type { AgentEventName } from "./event.ts";
import type { ToolTable } from "./locks/targets/tool_targets.ts";
import type { Wake } from "./sessions/session.ts";

/** A decision with the text as its reason, the form of a refused tool call (Kimi Code), or the text alone. */
export type GoOn = "block" | "deny" | "permission" | "context";

/** How a harness takes part in the mesh: data, like the rest of a hook's profile. */
export interface AgentProfile {
  /** The events that this harness has: its name for each, and the timeout in ms. */
  readonly events: {
    readonly [E in AgentEventName]?: { readonly native: string; readonly timeoutMs: number };
  };
  /** The form in which a tool call is refused. */
  readonly refusal: "permission" | "decision";
  /** What makes the agent go on at the end of a turn, given the environment of its hooks. */
  readonly goOn: GoOn | ((env: (name: string) => string | undefined) => GoOn);
  /** Whether the fields of an answer have no `hookSpecificOutput` around them (Copilot CLI). */
  readonly topLevel?: boolean;
  /** How often in a row the end of a turn may be refused: some harnesses have no limit. */
  readonly goOnLimit: number;
  /** Whether text can be given to the model before a tool runs. */
  readonly contextBeforeTool: boolean;
  /** Whether nobody reads what a hook prints after a tool has run (Kimi Code). */
  readonly deafAfterTool?: boolean;
  /** Whether the prompt of a sub-agent comes with a session of its own (Copilot CLI). */
  readonly subagentsHaveSessions?: boolean;
  /** The tools that write files, and where their input says which. Undefined: locks are not enforced. */
  readonly tools?: ToolTable;
  /** How an idle session is woken, given the environment of its hooks. */
  wake(env: (name: string) => string | undefined): Wake;
}
