import { type Context, EXIT, type Outcome } from "../../base/cli/command.ts";
import { filterOf } from "../../base/history/filter.ts";
import { searchMessages } from "../../base/history/messages.ts";
import { withHistory } from "../../base/history/open_history.ts";
import { messageTable } from "./print.ts";
import { searchExpression } from "../../base/history/search_query.ts";

const SHOWN = 20;

/** Searches the texts of messages. */
export function run(context: Context): Promise<Outcome> {
  const { ui } = context;
  const expression = searchExpression(asTyped(context.args));
  const filter = filterOf(context, SHOWN);
  const messages = withHistory(context, (database) => searchMessages(database, expression, filter)) ?? [];
  if (messages.length === 0) ui.say("No message matches.");
  else ui.block(messageTable(messages, ui));
  return Promise.resolve({ code: EXIT.ok, data: { messages } });
}

/** The shell has removed the quotes around a phrase among other words. */
function asTyped(args: readonly string[]): string {
  if (args.length < 2) return args.join(" ");
  return args.map((arg) => /\s/.test(arg) && !arg.includes('"') ? `"${arg}"` : arg).join(" ");
}
