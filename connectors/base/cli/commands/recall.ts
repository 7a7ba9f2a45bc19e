import { recallCommand } from "../../memory/commands.ts";
import { inputText } from "../../memory/input.ts";
import { type Context, EXIT, type Outcome, UserError } from "../command.ts";
import { runMemoryCommand } from "../run_memory_command.ts";

export async function run(context: Context): Promise<Outcome> {
  const { flags, args } = context;
  const limit = flags.text("limit");
  if (limit !== undefined && !/^[1-9]\d{0,2}$/.test(limit)) {
    throw new UserError(`--limit must be a number from 1 to 999, not ${limit}.`, EXIT.usage, "--limit 10");
  }
  const query = {
    query: await inputText(args),
    limit: limit === undefined ? undefined : Number(limit),
    type: flags.text("type"),
    tags: flags.text("tags"),
    project: flags.text("project"),
  };
  return await runMemoryCommand(context, (daemon, binary) => recallCommand(daemon, query, binary));
}
