import type { AgentSession } from "../sessions/session.ts";
import type { Message } from "./message.ts";
import type { Offer } from "./offer.ts";
import type { Moment } from "./select.ts";
import { hasWaiting } from "./waiting.ts";

/** What a session is to be shown at a moment. Most inboxes are empty: then the code for messages is not loaded. */
export async function dueMessages(
  dir: string,
  session: AgentSession,
  moment: Moment,
  accept?: (message: Message) => boolean,
): Promise<Offer | undefined> {
  if (!hasWaiting(dir, session.harness, session.key)) return undefined;
  return (await import("../on_demand.ts")).offer(dir, session, moment, accept);
}
