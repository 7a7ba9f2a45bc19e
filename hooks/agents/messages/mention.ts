import type { Run } from "../../run.ts";
import { writeNote } from "../../state/state_file.ts";
import { readUserConfig } from "../config/config_files.ts";
import { handleOf, projectName, resolveHandle } from "../sessions/handle.ts";
import { Inbox } from "./inbox.ts";
import { knownPeers, rememberPeers } from "../sessions/known_peers.ts";
import { appendAgentLog } from "../log_line.ts";
import { defaultTtl, type Message } from "./message.ts";
import { newMessageId } from "./message_id.ts";
import { type Peer, presence } from "../sessions/presence.ts";
import { postMessage } from "./post_message.ts";
import { outboxDir } from "./receipt.ts";
import type { AgentSession, AgentSessions } from "../sessions/session.ts";
import { wake } from "../wake/wake.ts";

/** `@handle text`. A path such as `@src/main.ts` is a file that the user mentions. */
const MENTION = /^@([A-Za-z][\w-]*(?:@[\w.-]+)?)\s+([^]*\S)/;

/**
 * Sends a prompt that begins with `@handle` to that agent, and tells the model so.
 * "" if there is no such agent: then the prompt is for this one. Never blocks the prompt.
 */
export async function mention(
  run: Run,
  dir: string,
  sessions: AgentSessions,
  sender: AgentSession,
): Promise<string> {
  const [, name, text] = MENTION.exec(run.event.prompt ?? "") ?? [];
  if (name === undefined || text === undefined) return "";
  const local = sessions.list().filter(({ gone, key }) => !gone && key !== sender.key);
  const here = resolveHandle(name, local);
  const peers: Peer[] = here.length > 0 ? here : resolveHandle(name, await elsewhere(run, dir, sender));
  const [to, other] = peers;
  if (to === undefined) return "";
  if (other !== undefined) {
    const names = peers.map((peer) => handleOf(peer, 8)).join(", ");
    return `The prompt begins with @${name}, which can mean several agents (${names}). Nothing was sent; ask the user which one.`;
  }
  const message = newMessage(sender, to, text);
  const handle = handleOf(to);
  const sent = here.length > 0 ? sendHere(dir, sessions, to, message) : await sendAway(run, dir, to, message);
  if (sent.kind === "failed") {
    return `The prompt could not be sent to ${handle} (${sent.why}). Tell the user.`;
  }
  const how = sent.kind === "kept"
    ? `This prompt is for the agent ${handle}, and is kept as ${message.id} until it can be sent (${sent.why}).`
    : `This prompt was sent to the agent ${handle} as ${message.id}.`;
  const what = sent.kind === "kept" ? "that it will be sent" : "that it was sent";
  return `${how} Do not do this work yourself: tell the user ${what}. The answer will arrive as a message.`;
}

type Sent =
  | { readonly kind: "sent" }
  /** On disk, for the next process that reaches the daemon. */
  | { readonly kind: "kept"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

/** The sessions on other machines: those that the daemon has now, or had when it last answered. */
async function elsewhere(run: Run, dir: string, sender: AgentSession): Promise<Peer[]> {
  const peers = usesServer() ? undefined : await presence(run, sender.key);
  if (peers === undefined) {
    return knownPeers(dir, run.settings.agentId).filter(({ key }) => key !== sender.key);
  }
  rememberPeers(dir, run.settings.agentId, peers);
  return peers;
}

/**
 * Whether messages between machines go through a server that hooks do not talk to.
 * Also if nobody can say: a message must not take another way than the user chose.
 */
function usesServer(): boolean {
  const file = readUserConfig();
  return file.state === "broken" || (file.config.transport ?? "daemon") !== "daemon";
}

function sendHere(dir: string, sessions: AgentSessions, to: Peer, message: Message): Sent {
  if (new Inbox(dir).put(to, message) === "full") return { kind: "failed", why: "its inbox is full" };
  const receiver = sessions.get(to);
  const woken = receiver === undefined ? undefined : wake(receiver, message);
  appendAgentLog(dir, { event: "sent", id: message.id, to: to.key, woken });
  return { kind: "sent" };
}

/** The daemon has messages in memory only: a copy stays on disk until the receiver's machine has it. */
async function sendAway(run: Run, dir: string, to: Peer, message: Message): Promise<Sent> {
  const { client, settings: { agentId }, breaker, deadline } = run;
  const timeoutMs = deadline.left() / 2;
  const failed = usesServer()
    ? { why: "by the session's MCP server, or by the next command", later: true }
    : breaker.skip(timeoutMs)
    ? { why: "the daemon did not answer a moment ago", later: true }
    : await postMessage(client, message, timeoutMs);
  if (failed !== undefined && !failed.later) return { kind: "failed", why: failed.why };
  try {
    // What nobody has accepted goes by whichever way there is then.
    const entry = failed !== undefined
      ? message
      : { v: 1, message, url: client.url, agentId, acceptedAt: Date.now() };
    writeNote(`${outboxDir(dir)}/${message.id}.json`, JSON.stringify(entry));
  } catch (error) {
    if (failed !== undefined) {
      return { kind: "failed", why: `${failed.why}; ${error instanceof Error ? error.message : error}` };
    }
    // The disk is full, and the daemon has it.
  }
  appendAgentLog(dir, { event: "sent", message, to: to.key });
  return failed === undefined ? { kind: "sent" } : { kind: "kept", why: failed.why };
}

function newMessage(sender: AgentSession, to: Peer, text: string): Message {
  return {
    id: newMessageId(),
    at: Date.now(),
    from: {
      agentId: sender.agentId,
      session: sender.key,
      harness: sender.harness,
      machine: sender.machine,
      cwd: projectName(sender.project),
    },
    to: { agentId: to.agentId, session: to.key },
    priority: 3,
    wants: "reply",
    ttl: defaultTtl(3),
    kind: "message",
    hop: 0,
    text,
    verified: true,
  };
}
