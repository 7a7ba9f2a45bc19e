import type { Message } from "../../../../hooks/agents/messages/message.ts";
import { isMessageId } from "../../../../hooks/agents/messages/message_id.ts";
import { senderName } from "../../../../hooks/agents/messages/wrap.ts";
import { ensureDir } from "../../../../hooks/state/state_file.ts";
import { EXIT, UserError } from "../../cli/command.ts";
import { liveSessions, mailboxWithKey } from "../mesh.ts";
import { checkText } from "./message_text.ts";
import { compose, handOver, type Sent } from "./send.ts";
import { mailboxOf, type Station } from "../station.ts";

/** Answers a message; without an id, the newest one that waits for an answer. */
export async function reply(
  station: Station,
  answer: { id?: string; text: string; failed?: boolean },
): Promise<Sent> {
  checkText(answer.text);
  const original = answer.id === undefined ? newestOpen(station) : findMessage(station, answer.id);
  const { from, thread, priority, hop } = original;
  const draft = { text: answer.text, priority, wants: "none", thread, hop } as const;
  const message = compose(station, { agentId: from.agentId, session: from.session }, draft, {
    kind: "reply",
    replyTo: original.id,
    ...(answer.failed ? { receipt: "failed" } : {}),
  });
  const to = senderName(from);
  const sent = await handOver(station, message, { to, here: isHere(station, from.session) });
  markAnswered(station, original);
  return sent;
}

/** Whether a sender is on this machine: a live session, the person at its command line, or the A2A gateway. */
function isHere({ mesh }: Station, session: string | undefined): boolean {
  return mailboxWithKey(mesh, session) !== undefined || liveSessions(mesh).some(({ key }) => key === session);
}

/** A message of the caller, read or not. */
export function findMessage(station: Station, id: string): Message {
  const mailbox = mailboxOf(station);
  const found = isMessageId(id) ? everyMessage(station).find((message) => message.id === id) : undefined;
  if (found !== undefined) return found;
  throw new UserError(
    `There is no message ${id} in the inbox of ${
      mailbox.harness === "person" ? "this terminal" : mailbox.key
    }.`,
    EXIT.usage,
    "inbox lists the messages; --as SESSION names another session",
  );
}

function newestOpen(station: Station): Message {
  const open = everyMessage(station)
    .filter(({ id, wants, kind }) => wants === "reply" && kind === "message" && !isAnswered(station, id))
    .sort((a, b) => a.id < b.id ? 1 : -1);
  const [newest] = open;
  if (newest !== undefined) return newest;
  throw new UserError("No message waits for an answer.", EXIT.usage, "reply ID TEXT");
}

/** Everything in the caller's inbox that a reader may know about. */
function everyMessage(station: Station): Message[] {
  const mailbox = mailboxOf(station);
  return (["new", "taken", "seen"] as const).flatMap((folder) => station.mesh.inbox.peek(mailbox, folder));
}

function answeredPath(station: Station, id: string): string {
  return `${station.mesh.inbox.dirOf(mailboxOf(station))}/answered/${id}`;
}

function isAnswered(station: Station, id: string): boolean {
  try {
    return Deno.lstatSync(answeredPath(station, id)).isFile;
  } catch {
    return false;
  }
}

function markAnswered(station: Station, { id }: Message): void {
  try {
    ensureDir(`${station.mesh.inbox.dirOf(mailboxOf(station))}/answered`);
    Deno.writeTextFileSync(answeredPath(station, id), "", { mode: 0o600 });
  } catch {
    // The answer was sent, and that is what counts.
  }
}
