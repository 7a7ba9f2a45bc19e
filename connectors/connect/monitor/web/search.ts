import type { Context } from "../../../base/cli/command.ts";
import { sinceOf } from "../../../base/history/filter.ts";
import {
  findIds,
  type HistoryMessage,
  listMessages,
  searchMessages,
  threadOf,
} from "../../../base/history/messages.ts";
import { withHistory } from "../../../base/history/open_history.ts";
import { searchExpression } from "../../../base/history/search_query.ts";

/** As many as a person reads through. */
const LIMIT = 100;

export interface Search {
  /** As for `history search`; without words, the newest messages. */
  readonly words: string;
  /** As for `--agent`. */
  readonly agent?: string;
  /** As for `--since`. */
  readonly since?: string;
}

/** The newest messages of the history that match, newest first. */
export function searchHistory(
  context: Pick<Context, "host" | "ui">,
  { words, agent, since }: Search,
): HistoryMessage[] {
  const filter = { agent: agent || undefined, since: sinceOf(since || undefined, Date.now()), limit: LIMIT };
  const expression = words.trim() === "" ? undefined : searchExpression(words);
  const found = withHistory(
    context,
    (database) =>
      expression === undefined
        ? listMessages(database, filter)
        : searchMessages(database, expression, filter),
  );
  return (found ?? []).reverse();
}

/** The conversation of a message, oldest first. */
export function conversation(context: Pick<Context, "host" | "ui">, id: string): HistoryMessage[] {
  return withHistory(context, (database) => {
    const [known] = findIds(database, id);
    return known === id ? threadOf(database, id) : [];
  }) ?? [];
}
