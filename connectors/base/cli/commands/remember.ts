import { rememberCommand } from "../../memory/commands.ts";
import { inputText } from "../../memory/input.ts";
import type { Context, Outcome } from "../command.ts";
import { memoryDaemon, tell } from "../memory_outcome.ts";

export async function run(context: Context): Promise<Outcome> {
  const { flags, args } = context;
  const memory = {
    content: await inputText(args),
    type: flags.text("type"),
    tags: flags.text("tags"),
    project: flags.text("project"),
  };
  return tell(context, await rememberCommand(memoryDaemon(context), memory, context.binary));
}
