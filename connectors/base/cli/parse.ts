import { parseArgs } from "@std/cli/parse-args";
import { type Command, EXIT, type Flag, UserError } from "./command.ts";
import { Flags, GLOBAL_FLAGS } from "./flags.ts";
import { suggestion } from "./suggestion.ts";

export interface Parsed {
  readonly command?: Command;
  /** The words after the command. */
  readonly args: string[];
  readonly flags: Flags;
}

function usage(message: string, next: string): UserError {
  return new UserError(message, EXIT.usage, next);
}

function hint(given: string, known: readonly string[]): string {
  const near = suggestion(given, known);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}

/** What people type to a connector that only signet-connect can do. */
const ONLY_CONNECT: Record<string, string> = {
  setup: "signet-connect setup",
  login: "signet-connect setup",
  upgrade: "signet-connect upgrade",
  update: "signet-connect upgrade",
  history: "signet-connect history list",
  a2a: "signet-connect a2a serve",
  "api-key": "signet-connect api-key create --mode admin --name NAME",
};

/** The commands whose first words these are. */
function groupOf(id: string, commands: readonly Command[]): readonly Command[] {
  return commands.filter((each) => each.id.startsWith(`${id}.`));
}

/** Finds the command in the words that are left without the flags; without one, `used` is its group. */
function findCommand(
  words: readonly string[],
  commands: readonly Command[],
): { command?: Command; used: number } {
  for (const take of [3, 2, 1]) {
    const id = words.slice(0, take).join(".");
    const command = words.length >= take
      ? commands.find((each) => each.id === id || each.aliases?.includes(id))
      : undefined;
    if (command) return { command, used: take };
    // `agents config` is not the command `agents` with an argument.
    if (words.length >= take && groupOf(id, commands).length > 0) return { used: take };
  }
  return { used: 0 };
}

/**
 * Reads a command line against the table.
 *
 * @throws {UserError} with what is wrong and what to run instead
 */
export function parse(
  args: readonly string[],
  commands: readonly Command[],
  binary: string,
  globals: readonly Flag[] = GLOBAL_FLAGS,
): Parsed {
  const every = [...globals, ...commands.flatMap((command) => command.flags)];
  const names = (flags: readonly Flag[]) =>
    flags.flatMap((flag) => flag.short ? [flag.name, flag.short] : [flag.name]);
  // A first, tolerant pass: which words are left without the flags?
  const words = parseArgs(withValues(args, every), {
    string: ["_", ...names(every.filter((flag) => flag.value))],
    boolean: names(every.filter((flag) => !flag.value)),
  })._.map(String);
  const { command, used } = findCommand(words, commands);
  if (!command && words.length > 0 && words[0] !== "help") {
    const prefix = words.slice(0, used);
    const group = used === 0 ? [] : groupOf(prefix.join("."), commands);
    if (group.length > 0) {
      const verbs = group.map(({ id }) => id.split(".").slice(used).join(" "));
      throw usage(
        `${prefix.join(" ")} needs one of ${verbs.join(", ")}.${hint(words[used] ?? "", verbs)}`,
        `${binary} help ${prefix.join(" ")}`,
      );
    }
    const typed = words[0] ?? "";
    const elsewhere = ONLY_CONNECT[typed];
    if (elsewhere) throw usage(`${binary} has no command ${typed}; signet-connect does.`, elsewhere);
    const names = commands.map((each) => each.id.replaceAll(".", " "));
    throw usage(`There is no command ${typed}.${hint(typed, names)}`, `${binary} --help`);
  }
  const read = readFlags(args, [...globals, ...command?.flags ?? []], command, binary);
  // Read again with the flags of this command only: another command may have one of the same name.
  return { command, args: read.words.slice(used), flags: read.flags };
}

/** Gives each flag that needs no value the value that it has alone. */
function withValues(args: readonly string[], flags: readonly Flag[]): string[] {
  const end = args.indexOf("--");
  return args.map((arg, i) => {
    const flag = end >= 0 && i > end
      ? undefined
      : flags.find(({ name, alone }) => alone && arg === `--${name}`);
    return flag ? `${arg}=${flag.alone}` : arg;
  });
}

function readFlags(
  args: readonly string[],
  flags: readonly Flag[],
  command: Command | undefined,
  binary: string,
): { flags: Flags; words: string[] } {
  const strings = flags.filter((flag) => flag.value).map((flag) => flag.name);
  const names = flags.flatMap((flag) =>
    flag.short ? [`--${flag.name}`, `-${flag.short}`] : [`--${flag.name}`]
  );
  const help = command ? `${binary} ${command.id.replaceAll(".", " ")} --help` : `${binary} --help`;
  const raw = parseArgs(withValues(args, flags), {
    string: ["_", ...strings],
    boolean: flags.filter((flag) => !flag.value).map((flag) => flag.name),
    collect: strings,
    alias: Object.fromEntries(
      flags.filter((flag) => flag.short).map((flag) => [flag.name, flag.short ?? ""]),
    ),
    unknown: (arg) => {
      if (!arg.startsWith("-") || arg === "-") return true;
      const given = arg.replace(/=.*$/, "");
      throw usage(`There is no flag ${given} here.${hint(given, names)}`, help);
    },
  });
  const values = new Map<string, boolean | string[]>();
  for (const flag of flags) {
    const value = raw[flag.name];
    if (!flag.value) values.set(flag.name, value === true);
    else values.set(flag.name, readValues(flag, Array.isArray(value) ? value.map(String) : [], help));
  }
  return { flags: new Flags(values), words: raw._.map(String) };
}

function readValues(flag: Flag, given: string[], help: string): string[] {
  for (const value of given) {
    if (value === "") throw usage(`--${flag.name} needs a value: --${flag.name} ${flag.value}.`, help);
    if (flag.choices && !flag.choices.includes(value)) {
      throw usage(
        `--${flag.name} must be one of ${flag.choices.join(", ")}, not ${value}.${hint(value, flag.choices)}`,
        help,
      );
    }
  }
  return given;
}
