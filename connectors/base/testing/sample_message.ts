import type { Message } from "../../../hooks/agents/messages/message.ts";
import { newMessageId } from "../../../hooks/agents/messages/message_id.ts";

/** A plain message for tests; `change` replaces fields. */
export function sampleMessage(change: Partial<Message> = {}): Message {
  return {
    id: newMessageId(),
    at: Date.now(),
    from: { agentId: "work", session: "s-sender", harness: "codex", machine: "m1", cwd: "app" },
    to: { session: "s-receiver" },
    priority: 3,
    wants: "none",
    ttl: 3600,
    kind: "message",
    hop: 0,
    text: "hello",
    verified: true,
    ...change,
  };
}
