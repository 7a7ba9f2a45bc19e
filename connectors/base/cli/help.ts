import type { Command, Flag } from "./command.ts";
import type { Program } from "./main.ts";
import { GLOBAL_FLAGS, HARNESS_FLAG } from "./flags.ts";
import { columns, wrap } from "./output/layout.ts";
import { type Topic, TOPICS } from "./topics.ts";
import type { Ui } from "./output/ui.ts";

/** A command as it is typed: `api-key create`. */
export const words = (command: Command) => command.id.replaceAll(".", " ");

function flagText(flag: Flag): string {
  const short = flag.short ? `-${flag.short}, ` : "    ";
  const value = flag.alone ? `[=${flag.value}]` : flag.value ? ` ${flag.value}` : "";
  return `${short}--${flag.name}${value}`;
}

function globalFlags({ harnesses }: Program, ui: Ui): string {
  const flags = harnesses.length > 1 ? [HARNESS_FLAG, ...GLOBAL_FLAGS] : GLOBAL_FLAGS;
  return columns(flags.map((flag) => [flagText(flag), flag.summary] as const), ui.width);
}

/** What `signet-pyagent --help` prints. */
export function overview(program: Program, ui: Ui): string {
  const what = program.harnesses.length === 1
    ? `Connects ${program.harnesses[0]?.displayName} to a Signet daemon: memory and identity for your agent.`
    : "Connects the agent harnesses on this machine to a Signet daemon.";
  const shown = program.commands.filter((command) => !command.machine);
  const machine = program.commands.filter((command) => command.machine);
  const rows = (commands: readonly Command[]) =>
    columns(commands.map((command) => [words(command), command.summary] as const), ui.width);
  return [
    `${wrap(what, ui.width).join("\n")}\n\n`,
    `${ui.bold("USAGE")}\n  ${program.binary} <command> [flags]\n\n`,
    `${ui.bold("COMMANDS")}\n${rows(shown)}\n`,
    `${ui.bold("RUN BY THE HARNESS")}\n${rows(machine)}\n`,
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

export function topicText({ rows, after }: Topic, width: number): string {
  return columns(rows, width) + after.map((text) => `\n${wrap(text, width).join("\n")}\n`).join("");
}
