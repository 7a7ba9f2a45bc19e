import { HOST, type Surroundings } from "../../../hooks/state/paths.ts";
import type { Harness } from "../harness.ts";
import { VERSION } from "../../../hooks/daemon/version.ts";
import { type Command, type Context, EXIT, type Flag, type Outcome, UserError } from "./command.ts";
import { asUserError } from "./as_user_error.ts";
import { withAudit } from "./audit.ts";
import { COMMANDS } from "./commands.ts";
import { GLOBAL_FLAGS, HARNESS_FLAG } from "./flags.ts";
import { gate } from "./gate.ts";
import { commandHelp, overview } from "./help.ts";
import { namedHarnesses } from "./named_harnesses.ts";
import { parse } from "./parse.ts";
import { processTerminal, type Terminal } from "./output/terminal.ts";
import { createUi, type Ui } from "./output/ui.ts";

/** A binary: its name, its harnesses and its commands. */
export interface Program {
  readonly binary: string;
  readonly harnesses: readonly Harness[];
  readonly commands: readonly Command[];
}

/** Runs one command line and returns the exit code. Handles everything except `hook`. */
export async function cli(
  harnesses: readonly Harness[],
  binary: string,
  args: readonly string[],
  commands: readonly Command[] = COMMANDS,
): Promise<number> {
  return await run({ binary, harnesses, commands: forHarnesses(commands, harnesses) }, args, HOST);
}

/** The commands without the flags of harnesses that this binary does not support. */
export function forHarnesses(commands: readonly Command[], harnesses: readonly Harness[]): Command[] {
  const served = (flag: Flag) =>
    flag.harnesses === undefined || harnesses.some(({ id }) => flag.harnesses?.includes(id));
  return commands.map((command) => ({ ...command, flags: command.flags.filter(served) }));
}

export async function run(
  program: Program,
  args: readonly string[],
  host: Surroundings,
  terminal: Terminal = processTerminal(),
): Promise<number> {
  const given = beforeDashes(args);
  const json = given.some((arg) => /^--json(=true)?$/.test(arg));
  const quiet = given.some((arg) => /^(--quiet(=true)?|-q)$/.test(arg));
  const ui = createUi({ json, quiet, env: host.env, terminal });
  try {
    const outcome = await dispatch(program, args, host, ui);
    if (outcome.data !== undefined) ui.document(outcome.data);
    return outcome.code;
  } catch (error) {
    const shown = asUserError(error);
    if (shown === undefined) {
      ui.document({ error: String(error), code: EXIT.failed });
      throw error;
    }
    const { message, code, next } = shown;
    ui.fail(message);
    if (next) ui.hint(next);
    ui.document({ error: message, code, next });
    return code;
  }
}

/** The arguments that may be flags: everything after `--` is text. */
function beforeDashes(args: readonly string[]): readonly string[] {
  const at = args.indexOf("--");
  return at < 0 ? args : args.slice(0, at);
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
  if (given.includes("--version") || given.includes("-V") || args[0] === "version") {
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
  const { harnesses, rest } = namedHarnesses(program, parsed);
  const { load } = parsed.command;
  if (!load) throw new UserError(`${parsed.command.id} is only run by the harness.`, EXIT.usage);
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
  return await withAudit(context, async () => await (await load()).run(context));
}
