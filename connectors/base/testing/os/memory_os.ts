import { digest } from "../../fs/digest.ts";
import { dirOf, nameOf } from "../../fs/file_path.ts";
import type { Os, Stat } from "../../fs/os.ts";

/** A file system in memory: thousands of installs a minute. */
export class MemoryOs implements Os {
  readonly system = "linux";
  readonly files = new Map<string, { bytes: Uint8Array; mode: number }>();
  readonly #dirs = new Set(["/"]);

  put(path: string, content: string | Uint8Array): void {
    for (let dir = dirOf(path); dir !== "/"; dir = dirOf(dir)) this.#dirs.add(dir);
    this.files.set(path, {
      bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
      mode: 0o644,
    });
  }

  text(path: string): string | undefined {
    const file = this.files.get(path);
    return file && new TextDecoder("utf-8", { ignoreBOM: true }).decode(file.bytes);
  }

  uid = () => 1000;
  read = (path: string) => Promise.resolve(this.files.get(path)?.bytes);
  hash = (path: string) => digest(this.files.get(path)?.bytes ?? new Uint8Array());
  stat = (path: string): Promise<Stat | undefined> => {
    const file = this.files.get(path);
    if (file) {
      return Promise.resolve({
        kind: "file",
        size: file.bytes.length,
        mode: file.mode,
        uid: 1000,
        gid: 1000,
      });
    }
    return Promise.resolve(this.#dirs.has(path) ? { kind: "directory", size: 0 } : undefined);
  };
  lstat = this.stat;
  readlink = (path: string) => Promise.reject(new Error(`${path} is not a link`));
  list = (path: string) =>
    Promise.resolve(
      [...this.files.keys(), ...this.#dirs].filter((each) => each !== "/" && dirOf(each) === path).map(
        nameOf,
      ),
    );
  create = (path: string, bytes: Uint8Array, mode: number) => {
    this.files.set(path, { bytes, mode });
    return Promise.resolve();
  };
  copy = async (from: string, to: string, mode: number) =>
    await this.create(to, await this.read(from) ?? new Uint8Array(), mode);
  copyWithAttributes = async (from: string, to: string) => {
    await this.copy(from, to, this.files.get(from)?.mode ?? 0o600);
    return true;
  };
  keepsAttributes = () => Promise.resolve(true);
  overwrite = (path: string, bytes: Uint8Array) =>
    this.create(path, bytes, this.files.get(path)?.mode ?? 0o600);
  isWritable = () => Promise.resolve(true);
  hardlink = (from: string, to: string) => this.copy(from, to, 0o755);
  rename = (from: string, to: string) => {
    const file = this.files.get(from);
    if (!file) throw new Deno.errors.NotFound(from);
    this.files.delete(from);
    this.files.set(to, file);
    return Promise.resolve();
  };
  remove = (path: string) => {
    if (!this.files.delete(path) && !this.#dirs.delete(path)) throw new Deno.errors.NotFound(path);
    return Promise.resolve();
  };
  symlink = () => Promise.reject(new Error("no links here"));
  mkdir = (path: string) => {
    this.#dirs.add(path);
    return Promise.resolve();
  };
  chmod = () => Promise.resolve();
  chown = () => Promise.resolve();
  syncDir = () => Promise.resolve();
  tryLock = (path: string) => {
    this.put(path, "");
    return Promise.resolve({ release: () => Promise.resolve() });
  };
}
