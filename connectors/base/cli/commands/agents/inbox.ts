import type { Message } from "../../../../../hooks/agents/messages/message.ts";
import { stripControls } from "../../../../../hooks/context_text/strip_controls.ts";
import { UNLIMITED } from "../../../../../hooks/agents/messages/mailbox.ts";
import { userConfigPath } from "../../../../../hooks/agents/config/has_user_config.ts";
import { senderName } from "../../../../../hooks/agents/messages/wrap.ts";
import { liveSessions } from "../../../agents/mesh.ts";
import { uniqueHandle } from "../../../agents/peers/lookup.ts";
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
  const forAgents = heldForAgents(station);
  print(context, unread);
  if (held.length > 0) printHeld(context, held);
  for (const each of forAgents) printHeld(context, each.held, ` for ${each.handle}`);
  if (flags.on("mark-read")) markRead(station);
  const data = {
    unread: unread.map(document),
    held: held.map(document),
    heldForAgents: forAgents.map((each) => ({ ...each, held: each.held.map(document) })),
  };
  return { code: EXIT.ok, data };
}

function showSome({ ui }: Context, messages: readonly Message[]): Outcome {
  for (const message of messages) {
    ui.say(`${ui.bold(senderName(message.from))} ${heading(message)}`);
    ui.block(`${stripControls(message.text).trim()}\n`);
  }
  return { code: EXIT.ok, data: { messages: messages.map(document) } };
}

interface HeldForAgent {
  readonly handle: string;
  readonly held: readonly Message[];
}

/** What the policy holds for the sessions on this machine: only a person can change that. */
function heldForAgents({ mesh, caller }: Station): HeldForAgent[] {
  if (caller.kind !== "person") return [];
  const live = liveSessions(mesh);
  return live.map((session) => ({
    handle: uniqueHandle(session, live),
    held: mesh.inbox.peek(session, "held"),
  })).filter(({ held }) => held.length > 0);
}

function print({ ui, binary }: Context, unread: readonly Message[]): void {
  if (unread.length === 0) ui.say("No unread messages.");
  for (const message of unread.slice(0, SHOWN)) {
    ui.say(`${ui.bold(senderName(message.from))} ${heading(message)}`);
    ui.block(`  ${stripControls(message.text).trim().replaceAll("\n", "\n  ")}\n`);
  }
  if (unread.length > SHOWN) {
    ui.next(`${unread.length - SHOWN} more. To see all, run: ${binary} inbox --json`);
  }
  const open = unread.find(({ wants }) => wants === "reply");
  if (open) ui.next(`To answer, run: ${binary} reply ${open.id} TEXT`);
}

function printHeld({ ui, host }: Context, held: readonly Message[], to = ""): void {
  const senders = [...new Set(held.map(({ from }) => stripControls(from.agentId)))].join(", ");
  ui.next(
    `${held.length} held by your policy${to}, from ${senders}: to show it, add the agent to "allow" in ` +
      ui.path(userConfigPath(host) ?? "agents.yaml"),
  );
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
