import { ensureDir, isWritableFile, readStateObject, remove, unique } from "../state/state_file.ts";
import { DRAFT_SUFFIX, draftOf, type Spool, type SpoolEntry } from "./spool.ts";
import { finishEntry, parseUnfinished, type Unfinished } from "./unfinished.ts";

/**
 * An event that is on disk before its conversation and its project are read: if
 * the hook is killed while it reads, a drain finishes it. The hook locks the
 * file, so a drain can tell that the hook is gone.
 */
export class Draft {
  readonly #spool: Spool;
  readonly #file: Deno.FsFile;
  readonly name: string;

  private constructor(spool: Spool, file: Deno.FsFile, name: string) {
    this.#spool = spool;
    this.#file = file;
    this.name = name;
  }

  /**
   * Writes the draft, or throws. Not synced to the disk: it has to survive this
   * process, and the finished entry that replaces it a moment later is synced.
   */
  static begin(spool: Spool, entry: SpoolEntry, unfinished: Unfinished): Draft {
    ensureDir(spool.dir);
    const name = `${spool.nextStamp()}-${unique()}-${entry.kind}${DRAFT_SUFFIX}`;
    const temporary = `${spool.dir}/.${name}.tmp`;
    const file = Deno.openSync(temporary, { write: true, createNew: true, mode: 0o600 });
    try {
      // Locked before it gets its name: nobody sees it unlocked.
      file.tryLockSync(true);
      const bytes = new TextEncoder().encode(JSON.stringify({ v: 1, ...entry, unfinished }));
      for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
      Deno.renameSync(temporary, `${spool.dir}/${name}`);
      return new Draft(spool, file, name);
    } catch (error) {
      file.close();
      remove(temporary);
      throw error;
    }
  }

  /** Replaces the draft by the finished entry. Throws if it cannot be written; the draft then stays. */
  finish(entry: SpoolEntry): ReturnType<Spool["add"]> {
    const added = this.#spool.add(entry, this.name);
    this.#file.close();
    return added;
  }

  /** Leaves the draft to the next drain. */
  leave(): undefined {
    this.#file.close();
  }

  /** Removes the draft: the event was sent, or is of no use. */
  discard(): void {
    remove(`${this.#spool.dir}/${this.name}`);
    this.#file.close();
  }
}

/** How long a drain reads for one draft. After that, the event is sent without its conversation. */
const READ_MS = 10_000;

/** Finishes the drafts of hooks that are gone. The caller has the drain lock. */
export async function finishDrafts(spool: Spool, readMs = READ_MS, finish = finishEntry): Promise<void> {
  for (const name of spool.drafts()) {
    using file = abandoned(`${spool.dir}/${name}`);
    if (file === undefined) continue;
    if (spool.list().some((item) => draftOf(item.name) === name)) {
      // Its hook was killed after it had finished it.
      remove(`${spool.dir}/${name}`);
      continue;
    }
    const entry = spool.read({ name });
    if (entry === "gone" || entry === "newer") continue;
    if (entry === "corrupt") {
      spool.reject({ name }, entry);
      continue;
    }
    const unfinished = parseUnfinished(readStateObject(`${spool.dir}/${name}`)?.unfinished);
    try {
      const finished = unfinished && await finishInTime(entry, unfinished, readMs, finish);
      if (finished === "empty") remove(`${spool.dir}/${name}`);
      else spool.add(finished ?? entry, name);
    } catch {
      // The disk is full: the draft waits for the next drain.
    }
  }
}

/** The draft, locked, if no hook has it any more. */
function abandoned(path: string): Deno.FsFile | undefined {
  if (!isWritableFile(path)) return undefined;
  let file: Deno.FsFile | undefined;
  try {
    file = Deno.openSync(path, { read: true, write: true });
    // Its hook may have replaced it just now.
    if (file.tryLockSync(true) && file.statSync().ino === Deno.lstatSync(path).ino) return file;
  } catch {
    // It is gone, or the file system has no locks.
  }
  file?.close();
  return undefined;
}

/**
 * The result of finishEntry, or undefined if that takes too long: a file system that does
 * not answer must stop neither a hook nor a drain.
 */
export async function finishInTime(
  entry: SpoolEntry,
  unfinished: Unfinished,
  ms: number,
  finish = finishEntry,
): Promise<SpoolEntry | "empty" | undefined> {
  const end = performance.now() + ms;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => timer = setTimeout(() => resolve(undefined), ms));
  try {
    // What was read in most of the time is better than nothing.
    const stop = () => performance.now() > end - ms / 4;
    return await Promise.race([finish(entry, unfinished, stop), late]);
  } finally {
    clearTimeout(timer);
  }
}
