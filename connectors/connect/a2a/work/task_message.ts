import type { Task } from "@a2a-js/sdk";
import { projectName } from "../../../../hooks/agents/sessions/handle.ts";
import type { Message } from "../../../../hooks/agents/messages/message.ts";
import { newMessageId } from "../../../../hooks/agents/messages/message_id.ts";
import type { SessionId } from "../../../../hooks/agents/sessions/session.ts";

/** Enough to interrupt nobody's tool call, and to wake an idle agent. */
export const PRIORITY = 3;

export interface TaskMessage {
  readonly task: Task;
  readonly owner: string;
  readonly text: string;
  /** Where answers go. */
  readonly gateway: SessionId;
  readonly machine: string;
  readonly to: Message["to"];
  /** The directory that the receiver works in. */
  readonly project: string;
  readonly ttlMs: number;
  readonly id?: string;
  readonly wants?: Message["wants"];
  /** For another machine: the agent whose key sends it. Only to it the answer comes back. */
  readonly sendsAs?: string;
}

/** The agent id of whoever writes with a token of this gateway. No agent of a daemon can have it. */
export function clientAgent(client: string): string {
  return `a2a:${client}`;
}

/**
 * A task as a message of the mesh. It counts as one from the receiver's project:
 * the client names the agent, and the user of this machine gave the client its token.
 */
export function taskMessage(options: TaskMessage): Message {
  const { task, owner, text, gateway, machine, to, project } = options;
  return {
    id: options.id ?? newMessageId(),
    at: Date.now(),
    from: {
      agentId: options.sendsAs ?? clientAgent(owner),
      session: gateway.key,
      harness: gateway.harness,
      machine,
      cwd: projectName(project) || undefined,
    },
    to,
    priority: PRIORITY,
    wants: options.wants ?? "reply",
    ttl: Math.max(1, Math.ceil(options.ttlMs / 1000)),
    thread: /^[\w.:-]{1,64}$/.test(task.contextId) ? task.contextId : undefined,
    kind: "message",
    hop: 0,
    text,
    verified: true,
  };
}
