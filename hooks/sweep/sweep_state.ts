import { isObject } from "../json.ts";
import { fileTime } from "../state/live_sessions.ts";
import { readStateObject, writeNote } from "../state/state_file.ts";

const FILE = "sweep.json";

/** How long ago the last sweep was; undefined if there was none. */
export function lastSweepMs(stateDir: string, now = Date.now()): number | undefined {
  const at = fileTime(`${stateDir}/${FILE}`);
  // A date in the future comes from a clock that was set back.
  return at === undefined || at > now ? undefined : now - at;
}

/** What sweeps remember: when the last one ran, and which silent sessions have a checkpoint. */
export class SweepState {
  readonly #path: string;
  readonly #now: () => number;
  #checkpoints: Record<string, number> = {};

  constructor(stateDir: string, now: () => number) {
    this.#path = `${stateDir}/${FILE}`;
    this.#now = now;
  }

  /** Notes that a sweep runs, and forgets the checkpoints of sessions that are no longer live. */
  begin(files: readonly string[]): void {
    const { checkpoints } = readStateObject(this.#path) ?? {};
    for (const [file, at] of Object.entries(isObject(checkpoints) ? checkpoints : {})) {
      if (typeof at === "number" && files.includes(file)) this.#checkpoints[file] = at;
    }
    this.#write();
  }

  /** Whether what the session had said at this time has been sent. */
  hasCheckpoint(file: string, seenAt: number): boolean {
    return this.#checkpoints[file] === seenAt;
  }

  addCheckpoint(file: string, seenAt: number): void {
    this.#checkpoints[file] = seenAt;
    this.#write();
  }

  #write(): void {
    try {
      writeNote(this.#path, JSON.stringify({ checkpoints: this.#checkpoints }));
      const seconds = this.#now() / 1000;
      Deno.utimeSync(this.#path, seconds, seconds);
    } catch {
      // Without this file a silent session may get a second checkpoint.
    }
  }
}
