import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { errorReason } from "../../base/fs/error_reason.ts";
import { filterOf } from "../../base/history/filter.ts";
import { formatMessages, FORMATS } from "./formats.ts";
import { listMessages } from "../../base/history/messages.ts";
import { withHistory } from "../../base/history/open_history.ts";

/** Writes messages as JSON, CSV or Markdown. */
export function run(context: Context): Promise<Outcome> {
  const { flags, ui } = context;
  const format = FORMATS.find((known) => known === flags.text("format")) ?? "json";
  const filter = filterOf(context, Number.MAX_SAFE_INTEGER);
  const messages = withHistory(context, (database) => listMessages(database, filter)) ?? [];
  const out = flags.text("out");
  if (out === undefined) {
    ui.block(formatMessages(messages, format));
    return Promise.resolve({ code: EXIT.ok, data: { messages } });
  }
  write(out, formatMessages(messages, format));
  ui.ok(`${messages.length} messages written to ${ui.path(out)}`);
  return Promise.resolve({ code: EXIT.ok, data: { file: out, format, count: messages.length } });
}

function write(path: string, content: string): void {
  try {
    Deno.writeTextFileSync(path, content, { createNew: true, mode: 0o600 });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      throw new UserError(
        `${path} exists already. Nothing was written.`,
        EXIT.failed,
        "Choose another --out.",
      );
    }
    throw new UserError(`${path} could not be written: ${errorReason(error)}.`);
  }
}
