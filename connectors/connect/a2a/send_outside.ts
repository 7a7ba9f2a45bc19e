import { outsideAlias } from "../../base/agents/peers/outside.ts";
import { messageText } from "../../base/agents/messages/message_text.ts";
import { duration } from "../../base/cli/agents/draft_flags.ts";
import type { Context, Outcome } from "../../base/cli/command.ts";
import { run as send } from "../../base/cli/commands/agents/send.ts";

const SECONDS = "300";

/** `send`, to an agent of the mesh or to an outside one. */
export async function run(context: Context): Promise<Outcome> {
  const { args, flags } = context;
  const [to = "", ...words] = args;
  if (outsideAlias(to) === undefined) return await send(context);
  const text = await messageText(words, { file: flags.text("file") });
  const { callAgent } = await import("./call.ts");
  return await callAgent(context, to, text, duration("wait", flags.text("wait") ?? SECONDS));
}
