import { EXIT, UserError } from "../../base/cli/command.ts";

/**
 * A new file for a key, readable only by this user. It is opened before the key is
 * created, because a key that cannot be saved is lost, and removed if no key comes.
 */
export class KeyFile implements Disposable {
  #saved = false;

  private constructor(readonly path: string, private readonly file: Deno.FsFile) {}

  /** An existing file is not overwritten: it may hold another key. */
  static create(path: string): KeyFile {
    try {
      return new KeyFile(path, Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }));
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      throw new UserError(`${path} already exists.`, EXIT.usage, "Name a new file with --out, or remove it.");
    }
  }

  save(key: string): void {
    this.file.writeSync(new TextEncoder().encode(`${key}\n`));
    this.file.syncSync();
    this.#saved = true;
  }

  [Symbol.dispose](): void {
    this.file.close();
    if (!this.#saved) Deno.removeSync(this.path);
  }
}
