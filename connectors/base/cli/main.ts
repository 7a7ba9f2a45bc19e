import { HOST, type Surroundings } from "../../../hooks/state/paths.ts";
import type { Harness } from "../harness.ts";
import { VERSION } from "../../../hooks/daemon/version.ts";
import {
  type Command,
  type Context,
  EXIT,
  type Flag,
  type Mode,
  MODES,
  type Outcome,
  UserError,
} from "./command.ts";
import { commandHelp, overview } from "./help.ts";
import { GLOBAL_FLAGS, HARNESS_FLAG, parse, type Parsed, suggestion } from "./parse.ts";
import { COMMANDS } from "./commands.ts";
import { createUi, processTerminal, type Terminal, type Ui } from "./ui.ts";
import { account } from "./audit.ts";

/** What a binary is made of, besides the commands that all of them have. */
export interface Program {
  readonly binary: string;
  readonly harnesses: readonly Harness[];
  readonly commands: readonly Command[];
}

/** Runs one command line and gives the exit code. Everything but `hook` comes through here. */
export async function cli(
  harnesses: readonly Harness[],
  binary: string,
  args: readonly string[],
  commands: readonly Command[] = COMMANDS,
): Promise<number> {
  return await run({ binary, harnesses, commands: forHarnesses(commands, harnesses) }, args, HOST);
}

/** The commands without the flags of harnesses that this binary does not serve. */
export function forHarnesses(commands: readonly Command[], harnesses: readonly Harness[]): Command[] {
  const served = (flag: Flag) =>
    flag.harness === undefined || harnesses.some(({ id }) => id === flag.harness);
  return commands.map((command) => ({ ...command, flags: command.flags.filter(served) }));
}

export async function run(
  program: Program,
  args: readonly string[],
  host: Surroundings,
  terminal: Terminal = processTerminal(),
): Promise<number> {
  const given = beforeDashes(args);
  const json = given.includes("--json");
  const quiet = given.includes("--quiet") || given.includes("-q");
  const ui = createUi({ json, quiet, env: host.env, terminal });
  try {
    const outcome = await dispatch(program, args, host, ui);
    if (outcome.data !== undefined) ui.document(outcome.data);
    return outcome.code;
  } catch (error) {
    const said = userError(error);
    if (said === undefined) {
      ui.document({ error: String(error), code: EXIT.failed });
      throw error;
    }
    const { message, code, next } = said;
    ui.fail(message);
    if (next) ui.hint(next);
    ui.document({ error: message, code, next });
    return code;
  }
}

/** The words that may be flags: what stands after `--` is somebody's text. */
function beforeDashes(args: readonly string[]): readonly string[] {
  const at = args.indexOf("--");
  return at < 0 ? args : args.slice(0, at);
}

/** What a person reads of an error. A slip of ours, such as a TypeError, is not dressed up as theirs. */
function userError(error: unknown): UserError | undefined {
  if (error instanceof UserError) return error;
  // By name: its module brings the editing libraries along, which `mcp` has no use for.
  if (error instanceof Error && error.name === "PlanRefused") {
    return new UserError(error.message, EXIT.file, "Nothing was written. Mend it and try again.");
  }
  if (error instanceof Error && error.name === "Error") return new UserError(error.message);
  if (ofTheSystem(error)) {
    return new UserError(
      `${sentence(error.message)}.`,
      EXIT.failed,
      "Check the owner and mode of what it names.",
    );
  }
  return undefined;
}

/** A file or directory that cannot be had, and no slip of ours: it names itself in its message. */
function ofTheSystem(error: unknown): error is Error {
  return error instanceof Error && Object.values(Deno.errors).some((kind) => error instanceof kind);
}

/** `Permission denied (os error 13): readdir '/x'` as a person would say it. */
function sentence(message: string): string {
  return message.replace(/ \(os error \d+\)/, "");
}

async function dispatch(
  program: Program,
  args: readonly string[],
  host: Surroundings,
  ui: Ui,
): Promise<Outcome> {
  const print = (text: string, data: unknown): Outcome => {
    ui.block(text);
    return { code: EXIT.ok, data };
  };
  const given = beforeDashes(args);
  if (given.includes("--version") || given.includes("-V")) {
    return print(`${program.binary} ${VERSION}\n`, { name: program.binary, version: VERSION });
  }
  const many = program.harnesses.length > 1;
  const globals = many ? [...GLOBAL_FLAGS, HARNESS_FLAG] : GLOBAL_FLAGS;
  const parsed = parse(args, program.commands, program.binary, globals);
  if (!parsed.command) {
    return print(overview(program, ui), { commands: program.commands.map(({ id }) => id) });
  }
  if (parsed.flags.on("help")) {
    return print(commandHelp(program, parsed.command, ui), { command: parsed.command.id });
  }
  const mode = gate(parsed, parsed.command, host, program.binary);
  const { harnesses, rest } = choose(program, parsed);
  const { load } = parsed.command;
  if (!load) throw new UserError(`${parsed.command.id} is called by the harness.`, EXIT.usage);
  const context: Context = {
    command: parsed.command,
    binary: program.binary,
    harnesses,
    known: program.harnesses,
    commands: program.commands,
    flags: parsed.flags,
    args: rest,
    mode,
    host,
    ui,
  };
  return await account(context, async () => await (await load()).run(context));
}

/**
 * The mode of this call, refused before anything is read or written if the
 * command needs a higher one. The environment can lower it, and a flag cannot
 * lift it above what the environment allows.
 */
function gate(parsed: Parsed, command: Command, host: Surroundings, binary: string): Mode {
  const ceiling = host.env("SIGNET_CONNECTOR_MODE");
  const asked = parsed.flags.text("mode");
  const known = (text: string | undefined) => MODES.find((mode) => mode === text);
  if (ceiling !== undefined && ceiling !== "" && !known(ceiling)) {
    throw new UserError(
      `SIGNET_CONNECTOR_MODE is one of ${MODES.join(", ")}, not ${ceiling}.`,
      EXIT.usage,
      "unset SIGNET_CONNECTOR_MODE, or set it to one of these",
    );
  }
  const wanted = known(asked) ?? known(ceiling) ?? "write";
  const limit = known(ceiling) ?? "admin";
  const mode = MODES.indexOf(wanted) > MODES.indexOf(limit) ? limit : wanted;
  const lifts = command.flags.find((flag) => flag.mode && parsed.flags.on(flag.name));
  const needed = lifts?.mode ?? command.mode;
  if (MODES.indexOf(needed) > MODES.indexOf(mode)) {
    const words = command.id.replace(".", " ") + (lifts ? ` --${lifts.name}` : "");
    throw new UserError(
      `${words} needs mode ${needed}, and this call has ${mode}. Nothing was changed.`,
      EXIT.refused,
      limit === mode && ceiling
        ? `SIGNET_CONNECTOR_MODE is ${ceiling}`
        : `${binary} ${words} --mode ${needed}`,
    );
  }
  return mode;
}

/** Which harnesses a call is about: the binary's one, or those named to signet-connect. */
function choose(program: Program, parsed: Parsed): { harnesses: readonly Harness[]; rest: string[] } {
  const only = program.harnesses.length === 1 ? program.harnesses[0] : undefined;
  const byName = (name: string) => {
    const found = program.harnesses.find((harness) => harness.id === name || harness.binary === name);
    if (found) return found;
    if (only) {
      throw new UserError(
        `${program.binary} is for ${only.displayName} alone, and was given ${name}.`,
        EXIT.usage,
        `${program.binary} ${parsed.command?.id.replace(".", " ") ?? ""} --help`,
      );
    }
    const ids = program.harnesses.map(({ id }) => id);
    const near = suggestion(name, ids);
    throw new UserError(
      `There is no harness ${name}.${near ? ` Did you mean ${near}?` : ""}`,
      EXIT.usage,
      `one of ${ids.join(", ")}`,
    );
  };
  const takesHarnesses = parsed.command?.args === undefined;
  const named = [...parsed.flags.list("harness"), ...takesHarnesses ? parsed.args : []];
  const chosen = named.map(byName);
  return { harnesses: only ? program.harnesses : chosen, rest: takesHarnesses ? [] : parsed.args };
}
