import { atomicWrite, type Guard, putStaged, tempBeside } from "../../fs/atomic_write.ts";
import { rewrite } from "../../fs/rewrite.ts";
import { sameBytes } from "../../fs/same_bytes.ts";
import { decode, encode } from "../../fs/text_bytes.ts";
import { splicesBetween, undoSplices } from "../../edit/text/rebase.ts";
import { errorReason } from "../../fs/error_reason.ts";
import { dirOf } from "../../fs/file_path.ts";
import type { Os } from "../../fs/os.ts";
import type { Change } from "../plan/plan.ts";
import { FileChanged, guardFor } from "./stale.ts";

type Step = () => Promise<void>;

/** Makes changes, and remembers how to undo them. */
export class Journal {
  readonly #undo: Step[] = [];
  readonly #cleanup: Step[] = [];
  /** Directories that it created. */
  readonly dirs: string[] = [];

  /** The changes that were made. */
  readonly done: Change[] = [];
  /** Programs that were copied beside their path: path to temporary file. */
  readonly #staged = new Map<string, string>();

  constructor(readonly os: Os) {}

  /** Copies the programs beside their paths. It is the slowest step, so it comes before the last look at any file. */
  async stage(changes: readonly Change[]): Promise<void> {
    const { os } = this;
    for (const change of changes) {
      if (change.kind !== "program" || this.#staged.has(change.path)) continue;
      const { path, from } = change;
      await this.makeDirs(path, 0o755);
      const temp = tempBeside(path);
      this.#staged.set(path, temp);
      const discard = async () => {
        if (await os.lstat(temp)) await os.remove(temp);
      };
      this.#undo.push(discard);
      this.#cleanup.push(discard);
      await withPath(path, () => os.copy(from, temp, 0o700));
    }
  }

  /** Throws FileChanged if the file is not as it was when the plan was made. */
  async apply(change: Change): Promise<void> {
    const { os } = this;
    const guard = guardFor(os, change);
    await this.#apply(change, guard);
    this.done.push(change);
  }

  async #apply(change: Change, guard: Guard): Promise<void> {
    const { os } = this;
    switch (change.kind) {
      case "write": {
        const { path, real, before, after, mode } = change;
        const keeps = change.target === "edit" || change.target === "block";
        await this.write(path, real, before, after, mode, guard, keeps ? rewrite : atomicWrite);
        if (change.target === "secret") await this.#tighten(dirOf(real));
        return;
      }
      case "remove": {
        const { path, real, before } = change;
        const mode = (await os.stat(real))?.mode ?? 0o600;
        await guard();
        this.#undo.push(async () => {
          if (!await os.lstat(real)) await atomicWrite(os, real, before, mode);
        });
        await withPath(path, () => os.remove(real));
        return await os.syncDir(dirOf(real));
      }
      case "link":
        await this.makeDirs(change.path);
        await guard();
        if (change.was !== undefined) await this.#unlink(change.path, change.was);
        await withPath(change.path, () => os.symlink(change.to, change.path));
        this.#undo.push(() => os.remove(change.path));
        return;
      case "unlink":
        await guard();
        return await this.#unlink(change.path, change.was);
      case "program":
        return await this.#putProgram(change.path, change.replaces, guard);
      case "remove-program":
        return await this.#removeProgram(change.path);
    }
  }

  /** `path` is the file as the user knows it, `real` its location after links. */
  async write(
    path: string,
    real: string,
    before: Uint8Array | undefined,
    after: Uint8Array,
    mode: number,
    guard?: Guard,
    put: typeof atomicWrite = atomicWrite,
  ): Promise<void> {
    const { os } = this;
    await this.makeDirs(real);
    const old = (await os.stat(real))?.mode ?? mode;
    const undo = async () => {
      const now = await os.read(real);
      const back = now && withoutChange(path, before, after, now);
      if (now && !back) await os.remove(real);
      // A file that was not changed does not need to be restored.
      else if (back && now && !sameBytes(now, back)) await put(os, real, back, old);
    };
    this.#undo.push(undo);
    try {
      await withPath(path, () => put(os, real, after, mode, guard));
    } catch (error) {
      // Another program's version is there, and nothing of ours to undo.
      if (error instanceof FileChanged) this.#undo.splice(this.#undo.indexOf(undo), 1);
      throw error;
    }
  }

  /** The directories that a file needs, outermost first. */
  async makeDirs(path: string, mode = 0o700): Promise<void> {
    const { os } = this;
    const dir = dirOf(path);
    if (await os.stat(dir) || dir === dirOf(dir)) return;
    await this.makeDirs(dir, mode);
    await withPath(dir, async () => {
      try {
        await os.mkdir(dir, mode);
        this.dirs.push(dir);
        this.#undo.push(() => os.remove(dir));
      } catch (error) {
        // Another process may have created it in the meantime.
        if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      }
    });
  }

  /** Keeps the changes: removes what was saved for a rollback. */
  async commit(): Promise<void> {
    for (const step of this.#cleanup) await step();
  }

  /** Undoes everything, the last change first; returns the errors. */
  async rollBack(): Promise<string[]> {
    const failed: string[] = [];
    for (const step of [...this.#undo.splice(0).toReversed(), ...this.#cleanup.splice(0)]) {
      try {
        await step();
      } catch (error) {
        failed.push(errorReason(error));
      }
    }
    return failed;
  }

  async #unlink(path: string, to: string): Promise<void> {
    const { os } = this;
    await withPath(path, () => os.remove(path));
    this.#undo.push(() => os.symlink(to, path));
  }

  async #putProgram(path: string, replaces: boolean, guard: Guard): Promise<void> {
    const { os } = this;
    const temp = this.#staged.get(path);
    if (temp === undefined) throw new Error(`${path} was not copied; please report this as a bug`);
    const old = replaces ? await this.#saveProgram(path) : undefined;
    await withPath(path, () => putStaged(os, temp, path, 0o755, guard));
    this.#undo.push(() => old ? os.rename(old, path) : os.remove(path));
  }

  async #removeProgram(path: string): Promise<void> {
    const { os } = this;
    const old = await this.#saveProgram(path);
    await withPath(path, () => os.remove(path));
    this.#undo.push(() => os.rename(old, path));
  }

  /** Hard-links a program for a rollback instead of copying 100 MB. A later sweep removes the link if we are killed. */
  async #saveProgram(path: string): Promise<string> {
    const { os } = this;
    const name = tempBeside(path);
    await withPath(path, () => os.hardlink(path, name).catch(() => os.copy(path, name, 0o755)));
    this.#cleanup.push(async () => {
      if (await os.lstat(name)) await os.remove(name);
    });
    return name;
  }

  /** Only the owner may read the directory of a key. */
  async #tighten(dir: string): Promise<void> {
    const mode = (await this.os.stat(dir))?.mode;
    if (mode !== undefined && (mode & 0o077) !== 0) await this.os.chmod(dir, 0o700);
  }
}

/** A file without our change, even if another program edited it since; undefined if there was none. */
function withoutChange(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array,
  now: Uint8Array,
): Uint8Array | undefined {
  if (sameBytes(now, after)) return before;
  if (before && sameBytes(now, before)) return before;
  const [was, made, is] = [before ? decode(before) : "", decode(after), decode(now)];
  if (was !== undefined && made !== undefined && is !== undefined) {
    const text = undoSplices(was, splicesBetween(was, made), is);
    if (text !== undefined) return encode(text);
  }
  throw new Error(`${path} was changed by another program and stays as it is`);
}

async function withPath(path: string, step: Step): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (error instanceof FileChanged) throw error;
    throw new Error(`${path} cannot be written (${errorReason(error)})`, { cause: error });
  }
}
