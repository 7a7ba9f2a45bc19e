/** The events of the agent mesh; `install --agents` writes their hooks. */
export type AgentEventName =
  /** A tool is about to run. */
  | "pre-tool"
  /** A tool has run. */
  | "post-tool"
  /** The agent is done with its answer. */
  | "turn-end"
  /** A sub-agent begins, or is done; needed where its calls look like the agent's (Kimi Code). */
  | "subagent-start"
  | "subagent-end"
  /** The harness waits for the user: a permission, an answer. */
  | "waiting"
  /** Waits while the agent is idle, and wakes it when a message comes (Claude Code). */
  | "wait-for-messages";

/** In the order of a turn. */
export const AGENT_EVENT_NAMES: readonly AgentEventName[] = [
  "pre-tool",
  "post-tool",
  "subagent-start",
  "subagent-end",
  "turn-end",
  "waiting",
  "wait-for-messages",
];

export function isAgentEvent(name: string | undefined): name is AgentEventName {
  return AGENT_EVENT_NAMES.some((event) => event === name);
}
