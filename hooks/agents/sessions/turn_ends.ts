import { exists } from "../../state/exists.ts";
import { readState, remove, writeNote } from "../../state/state_file.ts";
import { sessionName } from "../dir.ts";
import type { SessionId } from "./session.ts";

/** How often in a row the end of a turn was refused; a prompt of the user starts again at zero. */
export class TurnEnds {
  readonly #path: string;

  constructor(dir: string, { harness, key }: SessionId) {
    this.#path = `${dir}/inbox/${sessionName(harness, key)}/turn_ends`;
  }

  inARow(): number {
    const count = Number(readState(this.#path, 100) ?? 0);
    return Number.isInteger(count) && count > 0 ? count : 0;
  }

  /** Never throws: without a count the harness's own limit applies. */
  wentOn(): void {
    try {
      writeNote(this.#path, String(this.inARow() + 1));
    } catch {
      // The disk is full.
    }
  }

  reset(): void {
    if (exists(this.#path)) remove(this.#path);
  }
}

/** The file by which a waiter registers, and is superseded by the next. */
export function waiterPath(dir: string, { harness, key }: SessionId): string {
  return `${dir}/inbox/${sessionName(harness, key)}/waiter`;
}

/** Makes the session's waiter look: from now on the session is idle. */
export function noteTurnEnd(dir: string, session: SessionId): void {
  new TurnEnds(dir, session).reset();
  try {
    const now = Date.now() / 1000;
    Deno.utimeSync(waiterPath(dir, session), now, now);
  } catch {
    // Nobody waits.
  }
}
