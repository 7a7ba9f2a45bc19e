import { type Context, EXIT, type Outcome, UserError } from "../command.ts";
import { commandHelp, overview, topicText, words } from "../help.ts";
import { columns } from "../output/layout.ts";
import { suggestion } from "../suggestion.ts";
import { TOPICS } from "../topics.ts";

/** `help`, `help install`, `help api-key create`, `help exit-codes`. */
export function run(context: Context): Promise<Outcome> {
  const program = { binary: context.binary, harnesses: context.known, commands: context.commands };
  const asked = context.args.join(".");
  if (asked === "") {
    context.ui.block(overview(program, context.ui));
    return Promise.resolve({ code: EXIT.ok, data: { topics: TOPICS.map(({ name }) => name) } });
  }
  const command = program.commands.find((each) => each.id === asked);
  const group = program.commands.filter((each) => each.id.startsWith(`${asked}.`));
  const topic = TOPICS.find(({ name }) => name === asked);
  const rows = () => columns(group.map((each) => [words(each), each.summary] as const), context.ui.width);
  if (command) {
    context.ui.block(commandHelp(program, command, context.ui));
    if (group.length) context.ui.block(`\n${context.ui.bold("SEE ALSO")}\n${rows()}`);
  } else if (group.length) context.ui.block(rows());
  else if (topic) context.ui.block(topicText(topic, context.ui.width));
  else {
    const near = suggestion(asked, [
      ...program.commands.map(({ id }) => id),
      ...TOPICS.map(({ name }) => name),
    ]);
    throw new UserError(
      `There is no help on ${asked}.${near ? ` Did you mean ${near}?` : ""}`,
      EXIT.usage,
      `${program.binary} help`,
    );
  }
  return Promise.resolve({
    code: EXIT.ok,
    data: { topic: asked, text: topic ? topicText(topic, 80) : command?.summary },
  });
}
