import type { Message } from "../../../../../hooks/agents/messages/message.ts";
import { stripControls } from "../../../../../hooks/context_text/strip_controls.ts";
import { UNLIMITED } from "../../../../../hooks/agents/messages/mailbox.ts";
import { userConfigPath } from "../../../../../hooks/agents/config/has_user_config.ts";
import { senderName } from "../../../../../hooks/agents/messages/wrap.ts";
import { findMessage } from "../../../agents/messages/reply.ts";
import { mailboxOf, type Station } from "../../../agents/station.ts";
import { stationOf } from "../../agents/open_station.ts";
import { type Context, EXIT, type Outcome } from "../../command.ts";

/** More would not be read; `--json` has them all. */
const SHOWN = 50;

/** Shows the messages that wait for the caller; with ids, those messages in full. */
export async function run(context: Context): Promise<Outcome> {
  const { ui, args, flags } = context;
  const station = stationOf(context);
  const problem = await ui.during(
    "Looking for messages",
    station.remote?.receiver.fetch() ?? Promise.resolve(undefined),
  );
  if (problem) ui.warn(`${problem} Messages from other machines may be missing.`);
  if (args.length > 0) return showSome(context, args.map((id) => findMessage(station, id)));
  const { inbox } = station.mesh;
  const mailbox = mailboxOf(station);
  const unread = [...inbox.peek(mailbox, "new"), ...inbox.peek(mailbox, "taken")];
  const held = inbox.peek(mailbox, "held");
  print(context, unread, held);
  if (flags.on("mark-read")) markRead(station);
  const data = { unread: unread.map(document), held: held.map(document) };
  return { code: EXIT.ok, data };
}

function showSome({ ui }: Context, messages: readonly Message[]): Outcome {
  for (const message of messages) {
    ui.say(`${ui.bold(senderName(message.from))} ${heading(message)}`);
    ui.block(`${stripControls(message.text).trim()}\n`);
  }
  return { code: EXIT.ok, data: { messages: messages.map(document) } };
}

function print({ ui, binary, host }: Context, unread: readonly Message[], held: readonly Message[]): void {
  if (unread.length === 0) ui.say("No unread messages.");
  for (const message of unread.slice(0, SHOWN)) {
    ui.say(`${ui.bold(senderName(message.from))} ${heading(message)}`);
    ui.block(`  ${stripControls(message.text).trim().replaceAll("\n", "\n  ")}\n`);
  }
  if (unread.length > SHOWN) {
    ui.next(`${unread.length - SHOWN} more. To see all, run: ${binary} inbox --json`);
  }
  if (held.length > 0) {
    const senders = [...new Set(held.map(({ from }) => from.agentId))].join(", ");
    ui.next(
      `${held.length} held by your policy, from ${senders}: to show it, add the agent to "allow" in ` +
        ui.path(userConfigPath(host) ?? "agents.yaml"),
    );
  }
  const open = unread.find(({ wants }) => wants === "reply");
  if (open) ui.next(`To answer, run: ${binary} reply ${open.id} TEXT`);
}

function heading(message: Message): string {
  const { from, id, at, priority, replyTo, wants, verified } = message;
  return [
    `(agent ${stripControls(from.agentId)}${verified ? "" : ", not verified"})`,
    new Date(at).toLocaleString("sv"),
    id,
    priority === 3 ? "" : `priority ${priority}`,
    replyTo ? `answers ${replyTo}` : "",
    wants === "reply" ? "wants an answer" : "",
  ].filter((part) => part !== "").join(" · ");
}

/** Reads every message, so that no hook shows it any more. */
function markRead(station: Station): void {
  const { inbox } = station.mesh;
  const mailbox = mailboxOf(station);
  const box = { ...mailbox, agentId: station.agentId, project: "" };
  const { messages } = inbox.take(box, "asked", { limits: UNLIMITED, policy: "none" });
  inbox.shown(mailbox, messages);
}

function document(message: Message) {
  const { id, at, from, priority, replyTo, thread, wants, kind, text, verified } = message;
  return {
    id,
    at: new Date(at).toISOString(),
    from: {
      handle: senderName(from),
      agentId: from.agentId,
      session: from.session,
      machine: from.machine,
      verified,
    },
    priority,
    replyTo,
    thread,
    wants,
    kind,
    text,
  };
}
