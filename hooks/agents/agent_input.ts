import { isObject } from "../json.ts";

/**
 * What a harness sends to a hook of the mesh, under the names that most use.
 * Copilot CLI has others, and gives a sub-agent a session of its own: its calls
 * belong to the session of its parent.
 */
export function agentInput(raw: Record<string, unknown>): Record<string, unknown> {
  const { sessionId, toolName, toolArgs, parentAgentId, notificationType } = raw;
  if (typeof sessionId !== "string" || raw.session_id !== undefined) return raw;
  const isSubagent = typeof parentAgentId === "string" && parentAgentId !== "";
  return {
    ...raw,
    session_id: isSubagent ? parentAgentId : sessionId,
    agent_id: isSubagent ? sessionId : undefined,
    tool_name: raw.tool_name ?? toolName,
    tool_input: raw.tool_input ?? parsed(toolArgs),
    notification_type: raw.notification_type ?? notificationType,
  };
}

/** The arguments may come as JSON text; a patch is a text of another kind. */
function parsed(args: unknown): unknown {
  if (typeof args !== "string") return args;
  try {
    const value: unknown = JSON.parse(args);
    return isObject(value) ? value : args;
  } catch {
    return args;
  }
}
