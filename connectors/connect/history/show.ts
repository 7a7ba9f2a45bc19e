import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { findIds, threadOf } from "../../base/history/messages.ts";
import { withHistory } from "../../base/history/open_history.ts";
import { printMessage } from "./print.ts";

/** Shows the conversation that a message belongs to. */
export function run(context: Context): Promise<Outcome> {
  const { args: [name], ui, binary } = context;
  if (!name) throw new UserError("No message was given.", EXIT.usage, `${binary} history list`);
  const messages = withHistory(context, (database) => {
    const [id, other] = findIds(database, name);
    if (id === undefined) return [];
    const thread = threadOf(database, id);
    const isClear = other === undefined || id === name || thread.some((message) => message.thread === name);
    if (isClear) return thread;
    throw new UserError(`Several messages begin with ${name}.`, EXIT.usage, `${binary} history show ${id}`);
  }) ?? [];
  if (messages.length === 0) {
    throw new UserError(`There is no message or thread ${name}.`, EXIT.usage, `${binary} history list`);
  }
  for (const message of messages) printMessage(message, ui);
  return Promise.resolve({ code: EXIT.ok, data: { messages } });
}
