import { isObject } from "../json.ts";
import { readStateObject, remove, writeNote } from "../state/state_file.ts";

/** Why an event was deleted without being delivered: which limit was reached. */
export type DropReason = "the spool was full" | "rejected/ was full";

/** How many events were dropped, and when that last happened, in ISO 8601. */
export interface DroppedEvents {
  readonly reason: DropReason;
  readonly count: number;
  readonly last: string;
}

const REASONS: readonly DropReason[] = ["the spool was full", "rejected/ was full"];

/** What the limits cost. `status` shows it, `flush` shows and resets it. */
export class Dropped {
  readonly #path: string;

  constructor(spoolDir: string) {
    this.#path = `${spoolDir}/dropped.json`;
  }

  read(): DroppedEvents[] {
    const note = readStateObject(this.#path) ?? {};
    const dropped: DroppedEvents[] = [];
    for (const reason of REASONS) {
      const fields = note[reason];
      if (!isObject(fields) || typeof fields.count !== "number" || typeof fields.last !== "string") continue;
      dropped.push({ reason, count: fields.count, last: fields.last });
    }
    return dropped;
  }

  add(reason: DropReason, count: number, now: number): void {
    if (count === 0) return;
    const before = this.read();
    const known = before.find((entry) => entry.reason === reason)?.count ?? 0;
    const note = Object.fromEntries(before.map(({ reason, ...fields }) => [reason, fields]));
    note[reason] = { count: known + count, last: new Date(now).toISOString() };
    try {
      writeNote(this.#path, JSON.stringify(note));
    } catch {
      // On a full disk the hook's log line is all there is.
    }
  }

  clear(): void {
    remove(this.#path);
  }
}

/** One sentence for a person. */
export function describeDropped({ reason, count, last }: DroppedEvents): string {
  const events = count === 1 ? "1 event was" : `${count} events were`;
  return `${events} dropped because ${reason}; the last one on ${last.slice(0, 10)}`;
}
