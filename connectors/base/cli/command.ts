import type { Surroundings } from "../../../hooks/state/paths.ts";
import type { Harness } from "../harness.ts";
import type { Flags } from "./flags.ts";
import type { Ui } from "./output/ui.ts";

/** What a caller may do: read, change this machine's setup, or manage keys. */
export type Mode = "readonly" | "write" | "admin";
export const MODES: readonly Mode[] = ["readonly", "write", "admin"];

/** Documented in `help exit-codes`; scripts rely on them. */
export const EXIT = {
  ok: 0,
  /** The command failed; the message says why. */
  failed: 1,
  /** Invalid command line: a flag, a URL, an agent id. */
  usage: 2,
  /** It works, but something needs attention. */
  degraded: 3,
  /** `--mode` does not allow it. Nothing was read or written. */
  refused: 4,
  /** Nobody is there to read the message; it waits. */
  nobody: 4,
  /** One of the user's files cannot be edited safely. Nothing was written. */
  file: 5,
  /** The daemon rejects the key. */
  key: 6,
  /** The daemon cannot be reached. */
  unreachable: 7,
  /** The user pressed Ctrl-C: 128 + SIGINT, as shells report it. */
  interrupted: 130,
} as const;

/** An error that the user can act on: what happened, to what, and what to do next. */
export class UserError extends Error {
  constructor(message: string, readonly code: number = EXIT.failed, readonly next?: string) {
    super(message);
  }
}

export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** The placeholder of the value in help: `URL`. A flag without one is on or off. */
  readonly value?: string;
  /** The value of the flag alone; another one needs an equals sign: `--wait`, `--wait=30`. */
  readonly alone?: string;
  readonly choices?: readonly string[];
  readonly repeat?: boolean;
  /** The only harnesses that support it. */
  readonly harnesses?: readonly string[];
  /** The mode that a call with this flag needs, if higher than the command's. */
  readonly mode?: Mode;
  readonly summary: string;
}

/** A command is data: help, parsing, completions, the manifest and the mode gate are derived from it. */
export interface Command {
  /** `install`, or `api-key.create` for `api-key create`. */
  readonly id: string;
  readonly summary: string;
  /** Other words that people type for it; help does not list them. */
  readonly aliases?: readonly string[];
  readonly mode: Mode;
  /** What it can do, which sets the risk tier: read 1, write 2, change 3, destructive 4. */
  readonly action: "read" | "write" | "change" | "destructive";
  readonly resource: string;
  /** The positional arguments in help: `TEXT`, `H…`. */
  readonly args?: string;
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
  /** Run by a harness, not by a person: stdout carries a protocol. */
  readonly machine?: boolean;
  load?(): Promise<{ run(context: Context): Promise<Outcome> }>;
}

export interface Context {
  readonly command: Command;
  readonly binary: string;
  /** The harnesses that were named on the command line. */
  readonly harnesses: readonly Harness[];
  readonly commands: readonly Command[];
  /** All harnesses that this binary supports. */
  readonly known: readonly Harness[];
  readonly flags: Flags;
  readonly args: readonly string[];
  readonly mode: Mode;
  readonly host: Surroundings;
  readonly ui: Ui;
}

/** The result of a command: an exit code and the document that `--json` prints. */
export interface Outcome {
  readonly code: number;
  readonly data: unknown;
}
