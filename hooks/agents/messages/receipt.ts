import { ensureDir, writeNote } from "../../state/state_file.ts";
import { Inbox } from "./inbox.ts";
import type { Message, ReceiptState } from "./message.ts";
import { gatewayMailbox } from "./mailbox.ts";
import { newMessageId } from "./message_id.ts";
import { type AgentSession, AgentSessions, type SessionId } from "../sessions/session.ts";

/** A receipt is about now; nobody waits longer than this for one. */
const RECEIPT_TTL = 3600;

/** Messages that a hook cannot send itself: the next process that talks to the daemon does. */
export function outboxDir(dir: string): string {
  return `${dir}/outbox`;
}

/**
 * Tells the sender of a message what became of it: in its inbox if it runs on this
 * machine, else through the outbox. Receipts have no receipts. Never throws.
 */
export function sendReceipt(
  dir: string,
  receiver: Pick<AgentSession, "key" | "harness" | "agentId" | "machine">,
  message: Message,
  receipt: ReceiptState,
): void {
  const { session, harness } = message.from;
  if (message.kind === "receipt" || session === undefined) return;
  try {
    const answer: Message = {
      id: newMessageId(),
      at: Date.now(),
      from: {
        agentId: receiver.agentId,
        session: receiver.key,
        harness: receiver.harness,
        machine: receiver.machine,
      },
      to: { agentId: message.from.agentId, session },
      priority: 1,
      replyTo: message.id,
      wants: "none",
      ttl: RECEIPT_TTL,
      kind: "receipt",
      hop: 0,
      text: "",
      verified: true,
      receipt,
    };
    const isHere = harness !== undefined && (isGateway(dir, { harness, key: session }) ||
      new AgentSessions(dir).get({ harness, key: session }) !== undefined);
    if (isHere) {
      new Inbox(dir).put({ harness, key: session }, answer);
    } else if (message.from.machine !== receiver.machine) {
      ensureDir(outboxDir(dir));
      writeNote(`${outboxDir(dir)}/${answer.id}.json`, JSON.stringify(answer));
    }
  } catch {
    // The message was shown, and that is what counts.
  }
}

/** Whether a sender is the A2A gateway of this machine: it has no session, and need not run now. */
function isGateway(dir: string, { harness, key }: SessionId): boolean {
  const [, machine = ""] = key.split(":");
  const gateway = gatewayMailbox(machine, dir);
  return harness === gateway.harness && key === gateway.key;
}
