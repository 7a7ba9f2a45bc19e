import { parseObject } from "../../json.ts";
import { isWritableFile, readState } from "../../state/state_file.ts";

/** What happened to a lock. */
export type LockEvent =
  | "taken"
  | "renewed"
  | "refused"
  | "freed"
  | "expired"
  | "broken"
  | "forced"
  | "violated"
  | "contested";

/** One line of locks.jsonl. */
export interface LockRecord {
  /** ISO time. */
  readonly at: string;
  readonly event: LockEvent;
  readonly path: string;
  /** Whose lock it is: harness and session. */
  readonly owner: string;
  /** Who acted, if it was not the owner. */
  readonly by?: string;
  readonly agentId?: string;
  readonly detail?: string;
}

/** One line of changes.jsonl: an edit that a hook saw. */
export interface ChangeRecord {
  readonly at: string;
  readonly path: string;
  readonly harness: string;
  readonly session: string;
  readonly agentId: string;
  readonly tool: string;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Appends one line; rotates to `.1`. Never throws: an edit does not depend on a log. */
export function appendLine(path: string, record: LockRecord | ChangeRecord): void {
  if (!isWritableFile(path)) return;
  try {
    using file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
    // One write with O_APPEND: the lines of concurrent processes do not mix.
    file.writeSync(new TextEncoder().encode(JSON.stringify(record) + "\n"));
    if (file.statSync().size > MAX_BYTES) Deno.renameSync(path, `${path}.1`);
  } catch {
    // The disk is read-only or full.
  }
}

/** The lines of a log, oldest first; malformed ones are skipped. */
export function readLines(path: string): Record<string, unknown>[] {
  const text = (readState(`${path}.1`) ?? "") + (readState(path) ?? "");
  return text.split("\n").map(parseObject).filter((fields) => fields !== undefined);
}
