import type { Run } from "../run.ts";
import { handleOf, projectName, resolveHandle } from "./handle.ts";
import { Inbox } from "./inbox.ts";
import { appendAgentLog } from "./log_line.ts";
import { defaultTtl, type Message } from "./message.ts";
import { newMessageId } from "./message_id.ts";
import { type Peer, presence } from "./presence.ts";
import { postMessage } from "./post_message.ts";
import type { AgentSession, AgentSessions } from "./session.ts";
import { wake } from "./wake.ts";

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
  const peers: Peer[] = here.length > 0 ? here : resolveHandle(name, await presence(run, sender.key));
  const [to, other] = peers;
  if (to === undefined) return "";
  if (other !== undefined) {
    const names = peers.map((peer) => handleOf(peer, 8)).join(", ");
    return `The prompt begins with @${name}, which can mean several agents (${names}). Nothing was sent; ask the user which one.`;
  }
  const message = newMessage(sender, to, text);
  const problem = await send(run, dir, sessions, to, message, here.length > 0);
  const handle = handleOf(to);
  if (problem !== undefined) return `The prompt could not be sent to ${handle} (${problem}). Tell the user.`;
  return `This prompt was sent to the agent ${handle} as ${message.id}. Do not do this work yourself: ` +
    `tell the user that it was sent. The answer will arrive as a message.`;
}

async function send(
  run: Run,
  dir: string,
  sessions: AgentSessions,
  to: Peer,
  message: Message,
  isLocal: boolean,
): Promise<string | undefined> {
  if (!isLocal) {
    const problem = await postMessage(run.client, message, run.deadline.left() / 2);
    if (problem === undefined) appendAgentLog(dir, { event: "sent", message, to: to.key });
    return problem;
  }
  if (new Inbox(dir).put(to, message) === "full") return "its inbox is full";
  const receiver = sessions.get(to);
  const woken = receiver === undefined ? undefined : wake(receiver, message);
  appendAgentLog(dir, { event: "sent", id: message.id, to: to.key, woken });
  return undefined;
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
