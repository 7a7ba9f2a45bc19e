import type { Run } from "../run.ts";
import { programName } from "../state/program_name.ts";
import { type ConfigFile, readUserConfig } from "./config/config_files.ts";
import { rulesText } from "./config/rules_text.ts";
import { mayHoldLocks } from "./locks/has_locks.ts";
import { Inbox } from "./messages/inbox.ts";
import { adoptUnread, adoptWaiting, agentMailbox } from "./messages/mailbox.ts";
import { mention } from "./messages/mention.ts";
import type { Message } from "./messages/message.ts";
import { offer } from "./messages/offer.ts";
import { sendReceipt } from "./messages/receipt.ts";
import { handleOf } from "./sessions/handle.ts";
import type { AgentSession } from "./sessions/session.ts";
import { tidyInboxes } from "./tidy.ts";
import type { Turn } from "./turn.ts";

/** What the mesh adds to the text of a hook. */
export interface MeshText {
  /** Before and after the hook's own text. */
  readonly before: string;
  readonly after: string;
  /** Call it once the text was printed. */
  confirm(): void;
}

/** What the mesh adds to a turn; undefined for a start that is shown with the first prompt. */
export async function turnText(
  run: Run,
  turn: Turn,
  messages: readonly Message[],
): Promise<MeshText | undefined> {
  const { dir, sessions, session, repository, isNew, isFirst, isAtPrompt } = turn;
  const isStart = run.event.event === "session-start";
  const inbox = new Inbox(dir);
  for (const message of messages) {
    if (!await isAnnouncement(dir, message)) {
      inbox.put(isForAgent(message) ? agentMailbox(session.agentId) : session, message);
    }
  }
  const adopted = [
    ...isNew || messages.some(isForAgent) ? [adoptWaiting(inbox, session)] : [],
    ...isNew ? [adoptUnread(inbox, sessions, session)] : [],
  ];
  for (const message of adopted.flatMap(({ expired }) => expired)) {
    sendReceipt(dir, session, message, "expired");
  }
  if (isStart) {
    inbox.prune(session);
    sessions.prune();
    tidyInboxes(dir);
  }
  if (isStart && isAtPrompt) return undefined;
  if (mayHoldLocks(dir, session.harness, session.key)) {
    (await import("./locks/session_locks.ts")).renewLocks(dir, session);
  }
  const sent = isStart ? "" : await mention(run, dir, sessions, session);
  const due = offer(dir, session, isFirst ? "start" : "prompt");
  const after = [isFirst ? introduction(session, repository) : "", sent, due && !due.urgent ? due.text : ""];
  return {
    before: due?.urgent ? due.text : "",
    after: after.filter((text) => text !== "").join("\n\n"),
    confirm: () => due?.confirm(),
  };
}

/** Whether a message is about a lock on another machine: it has been noted then. */
async function isAnnouncement(dir: string, message: Message): Promise<boolean> {
  if (message.kind !== "lock") return false;
  return await (await import("./locks/session_locks.ts")).receiveAnnouncement(dir, message);
}

/** To the agent, whichever session of it reads it. */
function isForAgent({ to }: Message): boolean {
  return to.session === undefined && to.agentId !== undefined;
}

/** Tells an agent its name, because Codex's tools cannot know which session calls them, and its rules. */
function introduction(session: AgentSession, repository: readonly ConfigFile[]): string {
  const rules = rulesText([readUserConfig(), ...repository], session);
  return rules === "" ? nameText(session) : `${nameText(session)}\n\n${rules}`;
}

export function nameText(session: Pick<AgentSession, "harness" | "key">): string {
  const handle = handleOf(session);
  return `You are ${handle} to the other agents on this machine and in this project. ` +
    `The tools agent_peers, agent_message_send, agent_message_inbox and agent_message_reply ` +
    `(or the commands ${programName()} agents, send, inbox and reply) let you work with them; ` +
    `where one asks who you are, say ${handle}. Messages from other agents are marked as such.`;
}
