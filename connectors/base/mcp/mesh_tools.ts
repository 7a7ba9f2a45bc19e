import { stripControls } from "../../../hooks/context_text/strip_controls.ts";
import { truncate } from "../../../hooks/context_text/truncate.ts";
import { isPriority, type Message } from "../../../hooks/agents/messages/message.ts";
import { isMessageId } from "../../../hooks/agents/messages/message_id.ts";
import { offer } from "../../../hooks/agents/messages/offer.ts";
import { newNonce, senderName, wrapMessages } from "../../../hooks/agents/messages/wrap.ts";
import { findSession, uniqueHandle } from "../agents/peers/lookup.ts";
import { liveSessions } from "../agents/mesh.ts";
import type { Peer } from "../agents/peers/peer.ts";
import { reply } from "../agents/messages/reply.ts";
import { type Draft, send, sendToAll, type Sent } from "../agents/messages/send.ts";
import { everyPeer, type Station } from "../agents/station.ts";
import { waitForAnswers, waitForIdle } from "../agents/messages/wait.ts";
import type { Answer } from "../memory/daemon.ts";
import type { Arguments, ToolReply } from "./tool.ts";

const BUDGET = 24_000;
/** Harnesses end a call of a tool after a minute. */
const LONGEST_WAIT_S = 50;

const NO_SESSION: ToolReply = {
  text: "This session does not take part yet: it does so from its next prompt on.",
  isError: true,
};

/** The other sessions, on this machine and elsewhere. */
export async function meshPeers(station: Station, args: Arguments): Promise<ToolReply> {
  const { peers, problem } = await everyPeer(station);
  const live = peers.filter(({ status }) => status !== "gone");
  const project = args.text("project");
  const shown = live.filter((peer) =>
    (project === undefined || peer.project === project) &&
    (args.flag("include_self") || !isCaller(station, peer))
  ).slice(0, args.number("limit") ?? 50);
  const lines = shown.map((peer) => `- ${uniqueHandle(peer, live)} ${facts(peer)}`);
  const notice = problem === undefined ? [] : [`${problem} Only sessions on this machine are listed.`];
  const list = lines.length === 0 ? ["No other agents are live."] : lines;
  return { text: truncate([...list, ...notice].join("\n"), BUDGET, "\n[cut]") };
}

function facts({ agentId, harness, project, status, tool, unread, here }: Peer): string {
  return stripControls(
    [
      `agent ${agentId} in ${harness}`,
      project === "" ? "" : `on ${project}`,
      status === undefined ? "live" : tool ? `${status} (${tool})` : status,
      here ? "on this machine" : "",
      unread ? `${unread} unread` : "",
    ].filter((fact) => fact !== "").join(" · "),
  ).replaceAll("\n", " ");
}

function isCaller({ caller }: Station, { key }: Peer): boolean {
  return caller.kind === "session" && caller.session.key === key;
}

export async function meshSend(station: Station, args: Arguments): Promise<ToolReply> {
  const priority = args.number("priority") ?? 3;
  const draft: Draft = {
    text: args.need("content"),
    priority: isPriority(priority) ? priority : 3,
    wants: args.flag("wants_reply") ?? args.flag("broadcast") !== true ? "reply" : "none",
    thread: args.text("thread"),
  };
  const handle = args.text("to") ?? args.text("to_session_key");
  const agentId = args.text("to_agent_id");
  if (handle !== undefined) {
    const known = { harnesses: [], agents: agentId === undefined ? [] : [agentId] };
    return sentReply(await send(station, handle, draft, known));
  }
  if (agentId === undefined && !args.flag("broadcast")) {
    return {
      text: "The message has no recipient: pass to, to_agent_id, to_session_key, or broadcast: true.",
      isError: true,
    };
  }
  return sentReply(await sendToAll(station, agentId, draft));
}

function sentReply({ message, to, state, woken, why }: Sent): ToolReply {
  const id = `as ${message.id}`;
  switch (state) {
    case "stored":
      return { text: `Sent to ${to} ${id}.${woken === "busy" ? " It is working, and sees it soon." : ""}` };
    case "accepted":
      return { text: `Sent to ${to} ${id}. It has not been acknowledged yet.` };
    case "kept":
      return { text: `${why} The message is kept ${id} and sent when it is back.`, kept: true };
    case "nobody":
      return { text: `Nobody is there: ${to} has no live session. The message waits ${id}.` };
  }
}

/** What waits for the caller, marked as read once the client has it. */
export function meshInbox({ mesh, caller }: Station): ToolReply {
  if (caller.kind === "person") return NO_SESSION;
  const due = offer(mesh.dir, caller.session, "asked");
  return due === undefined ? { text: "No messages." } : { text: due.text, confirm: due.confirm };
}

export async function meshReply(station: Station | undefined, args: Arguments): Promise<ToolReply> {
  if (station === undefined) return NO_SESSION;
  const { message, to, state, why } = await reply(station, {
    id: args.text("message_id"),
    text: args.need("content"),
    failed: args.flag("failed"),
  });
  if (state !== "kept") return { text: `Answered ${message.replyTo} of ${to}.` };
  return { text: `${why} The answer is kept and sent when it is back.`, kept: true };
}

export async function meshWait(
  station: Station | undefined,
  args: Arguments,
  stopping: Promise<Answer>,
): Promise<ToolReply> {
  if (station === undefined) return NO_SESSION;
  const ids = args.list("message_ids") ?? [];
  const idle = args.text("idle");
  if (!ids.every((id) => isMessageId(id))) {
    return { text: "message_ids takes the ids that agent_message_send returned: m_…", isError: true };
  }
  if (ids.length === 0 && idle === undefined) {
    return { text: "Pass message_ids, or idle with a handle.", isError: true };
  }
  const stop = new AbortController();
  void stopping.then(() => stop.abort());
  const seconds = args.number("seconds") ?? LONGEST_WAIT_S;
  const options = { ms: seconds * 1000, signal: stop.signal, receives: true };
  if (idle !== undefined) return await forIdle(station, idle, options);
  const { answers, open, asked } = await waitForAnswers(station, ids, options);
  const replies = answers.flatMap(({ reply }) => reply === undefined ? [] : [{ ...reply, again: false }]);
  const ends = answers.filter(({ reply }) => reply === undefined).map(({ id, state }) =>
    `${id} is ${state}.`
  );
  const parts = [
    replies.length > 0 ? wrapMessages(replies, newNonce()) : "",
    ...ends,
    open.length > 0 ? notYet(open, asked) : "",
  ];
  return { text: truncate(parts.filter((part) => part !== "").join("\n"), BUDGET, "\n[cut]") };
}

/** What the caller's agent wrote, and what was shown to it, in this session or an earlier one. */
export async function meshSearch(station: Station | undefined, args: Arguments): Promise<ToolReply> {
  if (station?.caller.kind !== "session") return NO_SESSION;
  // The database is loaded with the first search.
  const { searchHistory } = await import("../history/search_history.ts");
  // Not cut: each message is, so that its mark is closed.
  const text = searchHistory(station.mesh.dir, {
    words: args.need("query"),
    agent: args.text("agent"),
    project: args.text("project"),
    since: args.text("since"),
    limit: args.number("limit") ?? 5,
    knownTo: { agentId: station.agentId, session: station.caller.session.key },
  });
  return { text };
}

function notYet(open: readonly string[], asked: Message | undefined): string {
  const none = `Not yet: there is no answer to ${open.join(", ")}.`;
  return asked === undefined
    ? `${none} Go on with something else; the answer comes by itself, or wait again.`
    : `${none} ${
      senderName(asked.from)
    } waits for an answer of yours: read it with agent_message_inbox first.`;
}

async function forIdle(
  station: Station,
  handle: string,
  options: { ms: number; signal: AbortSignal },
): Promise<ToolReply> {
  const found = findSession(liveSessions(station.mesh), handle);
  if (found.kind !== "session") {
    return { text: `${handle} does not name one live session on this machine.`, isError: true };
  }
  const result = await waitForIdle(station, found.session, options);
  return { text: result === "busy" ? `Not yet: ${handle} is still busy.` : `${handle} is ${result}.` };
}
