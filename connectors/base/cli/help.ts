import type { Command, Context, Flag, Outcome } from "./command.ts";
import { EXIT, UserError } from "./command.ts";
import type { Program } from "./main.ts";
import { GLOBAL_FLAGS, HARNESS_FLAG, suggestion } from "./parse.ts";
import { type Topic, TOPICS } from "./topics.ts";
import type { Ui } from "./ui.ts";

const words = (command: Command) => command.id.replace(".", " ");

/** Below this, a second column would be a stripe of single words. */
const LEAST_ROOM = 24;

/** Two columns, the second wrapped to the terminal's width; a narrow terminal gets them one below the other. */
export function columns(rows: readonly (readonly [string, string])[], width: number): string {
  const left = Math.min(30, Math.max(...rows.map(([first]) => first.length))) + 2;
  const stacked = width - left - 2 < LEAST_ROOM;
  const margin = " ".repeat(stacked ? 6 : left + 2);
  return rows.map(([first, second]) => {
    const lines = wrap(second, width - margin.length);
    const below = stacked || first.length + 2 > left;
    const head = below ? `  ${first.trimStart()}\n${margin}` : `  ${first.padEnd(left)}`;
    return head + lines.join(`\n${margin}`) + "\n";
  }).join("");
}

/** Breaks text between words; a word that is too long for any line stays whole. */
export function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

function flagText(flag: Flag): string {
  const short = flag.short ? `-${flag.short}, ` : "    ";
  return `${short}--${flag.name}${flag.value ? ` ${flag.value}` : ""}`;
}

function globalFlags({ harnesses }: Program, ui: Ui): string {
  const flags = harnesses.length > 1 ? [HARNESS_FLAG, ...GLOBAL_FLAGS] : GLOBAL_FLAGS;
  return columns(flags.map((flag) => [flagText(flag), flag.summary] as const), ui.width);
}

/** What stands on the screen after `signet-pyagent --help`. */
export function overview(program: Program, ui: Ui): string {
  const what = program.harnesses.length === 1
    ? `Connects ${program.harnesses[0]?.displayName} to a Signet daemon: memory and identity for your agent.`
    : "Connects the agent harnesses on this machine to a Signet daemon.";
  const shown = program.commands.filter((command) => !command.machine);
  const called = program.commands.filter((command) => command.machine);
  const rows = (commands: readonly Command[]) =>
    columns(commands.map((command) => [words(command), command.summary] as const), ui.width);
  return [
    `${wrap(what, ui.width).join("\n")}\n\n`,
    `${ui.bold("USAGE")}\n  ${program.binary} <command> [flags]\n\n`,
    `${ui.bold("COMMANDS")}\n${rows(shown)}\n`,
    `${ui.bold("CALLED BY THE HARNESS")}\n${rows(called)}\n`,
    `${ui.bold("FLAGS FOR EVERY COMMAND")}\n`,
    globalFlags(program, ui),
    `\n${ui.bold("TOPICS")}\n`,
    columns(TOPICS.map(({ name, summary }) => [`help ${name}`, summary] as const), ui.width),
    `\n${ui.bold("START")}\n  ${program.binary} ${
      program.harnesses.length === 1 ? "install --url URL --api-key-file FILE --agent-id ID" : "setup"
    }\n`,
  ].join("");
}

export function commandHelp(program: Program, command: Command, ui: Ui): string {
  const parts = [`${wrap(`${command.summary}.`, ui.width).join("\n")}\n\n`];
  const many = program.harnesses.length > 1;
  const args = command.args ?? (many && !command.machine ? "[HARNESS…]" : "");
  parts.push(
    `${ui.bold("USAGE")}\n  ${program.binary} ${words(command)}${args ? ` ${args}` : ""}${
      command.flags.length ? " [flags]" : ""
    }\n\n`,
  );
  if (command.flags.length) {
    parts.push(`${ui.bold("FLAGS")}\n`);
    parts.push(columns(command.flags.map((flag) => [flagText(flag), flag.summary] as const), ui.width), "\n");
  }
  parts.push(`${ui.bold("FLAGS FOR EVERY COMMAND")}\n`);
  parts.push(globalFlags(program, ui));
  parts.push(
    `\n${ui.bold("EXAMPLES")}\n${command.examples.map((each) => `  ${program.binary} ${each}\n`).join("")}`,
  );
  parts.push(`\nNeeds mode ${command.mode}.\n`);
  return parts.join("");
}

function topicText({ rows, after }: Topic, width: number): string {
  return columns(rows, width) + after.map((text) => `\n${wrap(text, width).join("\n")}\n`).join("");
}

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
  if (command) context.ui.block(commandHelp(program, command, context.ui));
  else if (group.length) {
    context.ui.block(columns(group.map((each) => [words(each), each.summary] as const), context.ui.width));
  } else if (topic) context.ui.block(topicText(topic, context.ui.width));
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
