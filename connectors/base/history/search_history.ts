import { projectName } from "../../../hooks/agents/sessions/handle.ts";
import { isPriority } from "../../../hooks/agents/messages/message.ts";
import type { Taken } from "../../../hooks/agents/messages/inbox.ts";
import { newNonce, wrapMessages } from "../../../hooks/agents/messages/wrap.ts";
import { truncate } from "../../../hooks/context_text/truncate.ts";
import { sinceOf } from "./filter.ts";
import { type HistoryMessage, searchMessages } from "./messages.ts";
import { withHistoryIn } from "./open_history.ts";
import { searchExpression } from "./search_query.ts";

/** Who searches for what. */
export interface HistorySearch {
  readonly words: string;
  readonly agent?: string;
  readonly project?: string;
  /** `2h`, `14d`, a date. */
  readonly since?: string;
  readonly limit: number;
  readonly knownTo: { readonly agentId: string; readonly session: string };
}

/** What all texts together may have: each gets its share. */
const ROOM = 16_000;

/**
 * The messages of an agent that match, as text for its model: other agents' words stay
 * marked as such.
 */
export function searchHistory(dir: string, search: HistorySearch, now: number = Date.now()): string {
  const { project, since, words, ...filter } = search;
  const notices: string[] = [];
  const messages = withHistoryIn(
    dir,
    (problem) => notices.push(problem),
    (database) =>
      searchMessages(database, searchExpression(words), {
        ...filter,
        project: project === undefined ? undefined : projectName(project),
        since: sinceOf(since, now),
      }),
  ) ?? [];
  if (messages.length === 0) return ["No message matches.", ...notices].join("\n");
  // Names are other agents' words, so they are only in the marks below.
  const list = messages.map(({ at, id, state }) => `- ${at} ${id}: ${state}`);
  const room = Math.floor(ROOM / messages.length);
  const wrapped = wrapMessages(messages.map((message) => asTaken(message, room)), newNonce());
  return [`Earlier messages that match, oldest first:`, ...list, ...notices, "", wrapped].join("\n");
}

function asTaken(message: HistoryMessage, room: number): Taken {
  const { id, at, fromAgent, fromSession, fromHarness, machine, project, thread, replyTo } = message;
  return {
    id,
    at: Date.parse(at),
    from: { agentId: fromAgent, session: fromSession, harness: fromHarness, machine, cwd: project },
    to: {},
    priority: isPriority(message.priority) ? message.priority : 3,
    // It was answered, or it is too late.
    wants: "none",
    ttl: 0,
    kind: "message",
    hop: 0,
    text: truncate(message.text, room, `\n(cut; the whole text: signet-connect history show ${id})`),
    verified: message.verified,
    thread,
    replyTo,
    again: false,
  };
}
