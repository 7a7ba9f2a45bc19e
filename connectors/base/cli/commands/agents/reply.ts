import { isMessageId } from "../../../../../hooks/agents/messages/message_id.ts";
import { messageText } from "../../../agents/messages/message_text.ts";
import { reply } from "../../../agents/messages/reply.ts";
import { stationOf } from "../../agents/open_station.ts";
import { type Context, EXIT, type Outcome } from "../../command.ts";

/** Answers a message: the one that is named, or the newest that waits for an answer. */
export async function run(context: Context): Promise<Outcome> {
  const { args, flags, ui } = context;
  const [first = "", ...rest] = args;
  const id = isMessageId(first) ? first : undefined;
  const text = await messageText(id === undefined ? args : rest, { file: flags.text("file") });
  const station = stationOf(context);
  const sent = await ui.during("Sending", reply(station, { id, text, failed: flags.on("fail") }));
  const { message, to, state, why } = sent;
  if (state === "kept") {
    ui.warn(`${why} The answer is on disk as ${message.id}, and is sent when it is back.`);
  } else ui.ok(`Answered ${message.replyTo} of ${ui.bold(to)} as ${message.id}`);
  return { code: EXIT.ok, data: { id: message.id, replyTo: message.replyTo, to, state, why } };
}
