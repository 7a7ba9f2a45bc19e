import { Inbox } from "./inbox.ts";
import type { Message } from "./message.ts";
import { loadPolicy } from "./policy.ts";
import { sendReceipt } from "./receipt.ts";
import type { Moment } from "./select.ts";
import type { AgentSession } from "../sessions/session.ts";
import { hasMessages, hasWaiting } from "./waiting.ts";
import { wrapDelivery } from "./wrap.ts";

/** Messages that were claimed for a session, as text for its model. */
export interface Offer {
  readonly text: string;
  readonly count: number;
  /** Whether one of them is urgent, so that its text comes first. */
  readonly urgent: boolean;
  /** Call it once the text was printed: the messages are then done, and their senders are notified. */
  confirm(): void;
}

/** What a session is to be shown at a moment; undefined if there is nothing. */
export function offer(
  dir: string,
  session: AgentSession,
  moment: Moment,
  accept?: (message: Message) => boolean,
): Offer | undefined {
  const { harness, key } = session;
  const looksAtHeld = moment === "prompt" || moment === "asked";
  if (!(looksAtHeld ? hasMessages : hasWaiting)(dir, harness, key)) return undefined;
  const inbox = new Inbox(dir);
  const delivery = inbox.take(session, moment, { policy: loadPolicy(session.repository), accept });
  for (const message of delivery.expired) sendReceipt(dir, session, message, "expired");
  const text = wrapDelivery(delivery, undefined, session);
  if (text === "") return undefined;
  return {
    text,
    count: delivery.messages.length,
    urgent: delivery.messages.some(({ priority }) => priority >= 4),
    confirm() {
      inbox.shown(session, delivery.messages);
      for (const message of delivery.messages) sendReceipt(dir, session, message, "seen");
    },
  };
}
