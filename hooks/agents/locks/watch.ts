import { fnv, sessionName } from "../dir.ts";
import { isObject, parseObject } from "../../json.ts";
import { readState, remove, writeNote } from "../../state/state_file.ts";
import type { HeldLock, LockOwner } from "./lock.ts";
import type { Locks } from "./locks.ts";
import { readLines } from "./lock_log.ts";

/** A locked file as it was before a tool ran that may write anything. */
interface Before {
  readonly path: string;
  /** The lock's owner. */
  readonly owner: string;
  readonly token: string;
  readonly state: string;
}

/**
 * Files that others have locked, compared before and after a tool call whose
 * writes cannot be known in advance.
 */
export class LockWatch {
  readonly #locks: Locks;
  readonly #prefix: string;

  constructor(locks: Locks, private readonly owner: LockOwner) {
    this.#locks = locks;
    this.#prefix = `${locks.dir.path}/watch/${sessionName(owner.harness, owner.session)}-`;
  }

  /** Notes the state of the files that others have locked. `call` names the tool call. */
  begin(call: string): void {
    const others = this.#locks.dir.within("/", this.owner).filter(({ scope }) => scope === "file");
    if (others.length === 0) return;
    const files: Before[] = others.map((lock) => ({
      path: lock.path,
      owner: `${lock.harness} ${lock.session}`,
      token: lock.token,
      state: stateOf(lock.path),
    }));
    writeNote(this.#path(call), JSON.stringify({ at: this.#locks.dir.now(), files }));
  }

  /** The locks whose files have changed since, other than by their owners. */
  end(call: string): HeldLock[] {
    const path = this.#path(call);
    const text = readState(path);
    if (text === undefined) return [];
    remove(path);
    const note = parseObject(text);
    const files = Array.isArray(note?.files) ? note.files.flatMap(parseBefore) : [];
    const changed = files.filter((file) => stateOf(file.path) !== file.state);
    if (changed.length === 0) return [];
    const at = typeof note?.at === "number" ? note.at : 0;
    const edits = readLines(this.#locks.changesPath).filter((edit) =>
      Date.parse(String(edit.at)) >= at - 1000
    );
    const locks = this.#locks.dir.list();
    return changed.flatMap((file) => {
      const lock = locks.find(({ token }) => token === file.token);
      const byOwner = edits.some((edit) =>
        edit.path === file.path && `${edit.harness} ${edit.session}` === file.owner
      );
      return lock === undefined || byOwner ? [] : [lock];
    });
  }

  #path(call: string): string {
    return `${this.#prefix}${fnv(call, 0x811c9dc5)}${fnv(call, 0x01000193)}.json`;
  }

  /** Calls that never ended: the user refused them, or the program was killed. */
  clear(): void {
    try {
      const dir = `${this.#locks.dir.path}/watch`;
      for (const { name } of Deno.readDirSync(dir)) {
        if (`${dir}/${name}`.startsWith(this.#prefix)) remove(`${dir}/${name}`);
      }
    } catch {
      // No directory, nothing to forget.
    }
  }
}

function parseBefore(value: unknown): Before[] {
  if (!isObject(value)) return [];
  const { path, owner, token, state } = value;
  return typeof path === "string" && typeof owner === "string" && typeof token === "string" &&
      typeof state === "string"
    ? [{ path, owner, token, state }]
    : [];
}

/** Time, size and inode: what every way of writing changes at least one of. */
function stateOf(path: string): string {
  try {
    const { mtime, size, ino, ctime } = Deno.lstatSync(path);
    return `${mtime?.getTime()} ${size} ${ino} ${ctime?.getTime()}`;
  } catch {
    return "missing";
  }
}
