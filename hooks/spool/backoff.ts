import { readStateObject, remove, writeNote } from "../state/state_file.ts";

const FIRST_MS = 2_000;
const MOST_MS = 300_000;

/**
 * `offline`: no daemon answered, and every drain waits for it. `busy`: it
 * answered, but accepts no events now. `held`: some events wait for a key or for
 * another daemon; a new event need not wait for them.
 */
export type BackoffKind = "offline" | "busy" | "held";

/** After a failure the automatic drains wait, longer each time. `flush` does not wait. */
export class Backoff {
  readonly #path: string;
  readonly #now: () => number;

  constructor(stateDir: string, now: () => number = Date.now) {
    this.#path = `${stateDir}/drain.json`;
    this.#now = now;
  }

  read(): { waitMs: number; failures: number; kind: BackoffKind; reason?: string } {
    const note = readStateObject(this.#path);
    if (note === undefined || typeof note.until !== "number") {
      return { waitMs: 0, failures: 0, kind: "offline" };
    }
    const left = note.until - this.#now();
    return {
      // A clock that was set back must not stop delivery for years.
      waitMs: left > 3_600_000 ? 0 : Math.max(0, left),
      failures: typeof note.failures === "number" ? note.failures : 0,
      kind: note.kind === "held" || note.kind === "busy" ? note.kind : "offline",
      reason: typeof note.reason === "string" ? note.reason : undefined,
    };
  }

  failed(kind: BackoffKind, reason: string, retryAfterMs?: number): void {
    const failures = this.read().failures + 1;
    const wait = Math.max(retryAfterMs ?? 0, Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10)));
    this.#write({ kind, failures, until: this.#now() + Math.min(wait, 3_600_000), reason });
  }

  clear(): void {
    remove(this.#path);
  }

  #write(note: Record<string, unknown>): void {
    try {
      writeNote(this.#path, JSON.stringify(note));
    } catch {
      // Without this file the next hook tries immediately: more work, nothing lost.
    }
  }
}
