import type { Surroundings } from "../../../hooks/state/paths.ts";
import type { Harness } from "../harness.ts";
import type { Flags } from "./flags.ts";
import type { Ui } from "./ui.ts";

/** How far a caller may go: look, change this machine's set-up, or manage keys. */
export type Mode = "readonly" | "write" | "admin";
export const MODES: readonly Mode[] = ["readonly", "write", "admin"];

/** Documented in `help exit-codes`; scripts rely on them. */
export const EXIT = {
  ok: 0,
  /** It did not work; the message says why. */
  failed: 1,
  /** The command line is wrong: a flag, a URL, an agent id. */
  usage: 2,
  /** It works, but something wants attention. */
  degraded: 3,
  /** `--mode` does not allow it. Nothing was read or written. */
  refused: 4,
  /** A file of the user's cannot be edited safely. Nothing was written. */
  file: 5,
  /** The daemon rejects the key. */
  key: 6,
  /** The daemon cannot be reached. */
  unreachable: 7,
} as const;

/** Something a person can act on: what happened, to what, and what to do. */
export class UserError extends Error {
  constructor(message: string, readonly code: number = EXIT.failed, readonly next?: string) {
    super(message);
  }
}

export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** What stands for the value in help: `URL`. A flag without one is on or off. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly repeat?: boolean;
  /** The one harness that has it. */
  readonly harness?: string;
  /** A higher mode than the command's own, which a call with this flag needs. */
  readonly mode?: Mode;
  readonly summary: string;
}

/** A command is data; help, parsing, completions, the manifest and the gate all read this. */
export interface Command {
  /** `install`, or `api-key.create` for the words `api-key create`. */
  readonly id: string;
  readonly summary: string;
  readonly mode: Mode;
  /** What it may do, and so its risk tier: read 1, write 2, change 3, destructive 4. */
  readonly action: "read" | "write" | "change" | "destructive";
  readonly resource: string;
  /** The positional arguments in help: `TEXT`, `H…`. */
  readonly args?: string;
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
  /** Called by a harness, not by a person: it speaks a protocol on stdout. */
  readonly machine?: boolean;
  load?(): Promise<{ run(context: Context): Promise<Outcome> }>;
}

export interface Context {
  readonly command: Command;
  readonly binary: string;
  /** The harnesses this call is about. */
  readonly harnesses: readonly Harness[];
  readonly commands: readonly Command[];
  /** All that this binary serves. */
  readonly known: readonly Harness[];
  readonly flags: Flags;
  readonly args: readonly string[];
  readonly mode: Mode;
  readonly host: Surroundings;
  readonly ui: Ui;
}

/** What a command leaves: an exit code, and the document that `--json` prints. */
export interface Outcome {
  readonly code: number;
  readonly data: unknown;
}
