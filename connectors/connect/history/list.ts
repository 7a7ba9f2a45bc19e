import { type Context, EXIT, type Outcome } from "../../base/cli/command.ts";
import { filterOf } from "../../base/history/filter.ts";
import { listMessages } from "../../base/history/messages.ts";
import { withHistory } from "../../base/history/open_history.ts";
import { messageTable } from "./print.ts";

const SHOWN = 20;

/** Lists messages, newest last. */
export function run(context: Context): Promise<Outcome> {
  const { ui } = context;
  const filter = filterOf(context, SHOWN);
  const messages = withHistory(context, (database) => listMessages(database, filter)) ?? [];
  if (messages.length === 0) ui.say("No messages.");
  else ui.block(messageTable(messages, ui));
  return Promise.resolve({ code: EXIT.ok, data: { messages } });
}
