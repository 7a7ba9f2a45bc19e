import { rememberCommand } from "../../memory/commands.ts";
import { inputText } from "../../memory/input.ts";
import type { Context, Outcome } from "../command.ts";
import { runMemoryCommand } from "../run_memory_command.ts";

export async function run(context: Context): Promise<Outcome> {
  const { flags, args } = context;
  const memory = {
    content: await inputText(args),
    type: flags.text("type"),
    tags: flags.text("tags"),
    project: flags.text("project"),
    private: flags.on("private") || undefined,
  };
  return await runMemoryCommand(context, (daemon, binary) => rememberCommand(daemon, memory, binary));
}
