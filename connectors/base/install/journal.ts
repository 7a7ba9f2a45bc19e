import { atomicCopy, atomicWrite, tempBeside } from "../fs/atomic_write.ts";
import { sameBytes } from "../fs/same_bytes.ts";
import { errorReason } from "../fs/error_reason.ts";
import { dirOf } from "../fs/file_path.ts";
import type { Os } from "../fs/os.ts";
import type { Change } from "./plan.ts";

type Step = () => Promise<void>;

/** Makes changes, and remembers how to undo them. */
export class Journal {
  readonly #undo: Step[] = [];
  readonly #cleanup: Step[] = [];
  /** Directories that it created. */
  readonly dirs: string[] = [];

  constructor(readonly os: Os) {}

  async apply(change: Change): Promise<void> {
    const { os } = this;
    switch (change.kind) {
      case "write": {
        const { path, real, before, after, mode } = change;
        await this.write(path, real, before, after, mode);
        if (change.target === "secret") await this.#tighten(dirOf(real));
        return;
      }
      case "remove": {
        const { path, real, before } = change;
        const mode = (await os.stat(real))?.mode ?? 0o600;
        this.#undo.push(async () => {
          if (!await os.lstat(real)) await atomicWrite(os, real, before, mode);
        });
        await withPath(path, () => os.remove(real));
        return await os.syncDir(dirOf(real));
      }
      case "link":
        await this.makeDirs(change.path);
        if (change.was !== undefined) await this.#unlink(change.path, change.was);
        await withPath(change.path, () => os.symlink(change.to, change.path));
        this.#undo.push(() => os.remove(change.path));
        return;
      case "unlink":
        return await this.#unlink(change.path, change.was);
      case "program":
        return await this.#putProgram(change.path, change.from, change.replaces);
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
  ): Promise<void> {
    const { os } = this;
    await this.makeDirs(real);
    const old = (await os.stat(real))?.mode ?? mode;
    this.#undo.push(async () => {
      const now = await os.read(real);
      if (!before) return now ? await os.remove(real) : undefined;
      // A file that was not changed does not need to be restored.
      if (!now || !sameBytes(now, before)) await atomicWrite(os, real, before, old);
    });
    await withPath(path, () => atomicWrite(os, real, after, mode));
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

  async #putProgram(path: string, from: string, replaces: boolean): Promise<void> {
    const { os } = this;
    await this.makeDirs(path, 0o755);
    const old = replaces ? await this.#saveProgram(path) : undefined;
    await withPath(path, () => atomicCopy(os, from, path));
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

async function withPath(path: string, step: Step): Promise<void> {
  try {
    await step();
  } catch (error) {
    throw new Error(`${path} cannot be written (${errorReason(error)})`, { cause: error });
  }
}
