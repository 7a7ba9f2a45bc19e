import { isObject } from "../../json.ts";
import type { AgentCall } from "../call.ts";
import type { AgentSession } from "../sessions/session.ts";
import type { LockOwner } from "./lock.ts";

/** The session as the owner of locks. */
export function ownerOf(
  session: Pick<AgentSession, "agentId" | "harness" | "key" | "machine" | "caller">,
): LockOwner {
  const { agentId, harness, key, machine, caller } = session;
  return { agentId, harness, session: key, machine, caller };
}

export function cwdOf({ input, session }: AgentCall): string {
  return typeof input.cwd === "string" && input.cwd !== "" ? input.cwd : session.project;
}

/** What is the same before and after a tool call. */
export function callId({ input, tool }: AgentCall): string {
  const id = input.tool_use_id ?? input.tool_call_id ?? input.call_id;
  if (typeof id === "string" && id !== "") return id;
  return `${tool} ${JSON.stringify(isObject(input.tool_input) ? input.tool_input : {})}`;
}
