import { createHash } from "node:crypto";

/** The result of `stat` and `lstat`. */
export interface Stat {
  readonly kind: "file" | "directory" | "link" | "other";
  readonly size: number;
  /** Permission bits; undefined if the system has none. */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  /** Equal for two names of the same file. */
  readonly inode?: number;
  /** How many names the file has. */
  readonly links?: number;
  /** When it was last written, in ms. */
  readonly modified?: number;
}

/** A file lock; the system releases it when the process ends. */
export interface Held {
  release(): Promise<void>;
}

/**
 * The file system, as planning and applying use it: a test can observe every
 * step, or stop the program at any of them. Reading a missing file returns
 * undefined; all other errors are thrown.
 */
export interface Os {
  readonly system: typeof Deno.build.os;
  /** The user of this process; undefined if the system has none. */
  uid(): number | undefined;
  read(path: string): Promise<Uint8Array | undefined>;
  /** The SHA-256 of a file in hex. Reads it in pieces: a program has 100 MB. */
  hash(path: string): Promise<string>;
  stat(path: string): Promise<Stat | undefined>;
  lstat(path: string): Promise<Stat | undefined>;
  readlink(path: string): Promise<string>;
  list(path: string): Promise<string[]>;
  /** Creates a file that must not exist yet, writes it, and waits until it is on the disk. */
  create(path: string, bytes: Uint8Array, mode: number): Promise<void>;
  /** Copies into a file that must not exist yet, and waits until it is on the disk. */
  copy(from: string, to: string, mode: number): Promise<void>;
  /**
   * Copies a file with its owner, mode, ACL and extended attributes, as far as this user
   * may; false if the system has no tool for that. Deno has no call for attributes.
   */
  copyWithAttributes(from: string, to: string): Promise<boolean>;
  /** Whether `copyWithAttributes` works here. */
  keepsAttributes(): Promise<boolean>;
  /** Replaces the content of an existing file in place, and waits until it is on the disk. */
  overwrite(path: string, bytes: Uint8Array): Promise<void>;
  /** Whether this user may write to a file. */
  isWritable(path: string): Promise<boolean>;
  /** A second name for a file. */
  hardlink(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  symlink(to: string, path: string): Promise<void>;
  mkdir(path: string, mode: number): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  chown(path: string, uid: number, gid: number): Promise<void>;
  /** Waits until a directory's entries are on the disk. */
  syncDir(path: string): Promise<void>;
  /** Takes the lock on a file, which is created if absent; undefined if another process holds it, or has just removed it. */
  tryLock(path: string): Promise<Held | undefined>;
}

export function absentIsUndefined(error: unknown): undefined {
  // A path below a regular file does not exist either.
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
  throw error;
}

export function toStat(info: Deno.FileInfo): Stat {
  const kind = info.isSymlink ? "link" : info.isFile ? "file" : info.isDirectory ? "directory" : "other";
  return {
    kind,
    size: info.size,
    mode: info.mode === null ? undefined : info.mode & 0o7777,
    uid: info.uid ?? undefined,
    gid: info.gid ?? undefined,
    inode: info.ino ?? undefined,
    links: info.nlink ?? undefined,
    modified: info.mtime?.getTime(),
  };
}

/**
 * Calls `act` now. A file system call of Deno that is asynchronous goes through a thread,
 * which costs 25 times as much as the call itself.
 */
export function now<T>(act: () => T): Promise<T> {
  return new Promise((resolve) => resolve(act()));
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

function inodeOf(path: string): number | null | undefined {
  try {
    return Deno.statSync(path).ino;
  } catch (error) {
    return absentIsUndefined(error);
  }
}

/** The exit code of `cp`; undefined if there is none. */
async function runCp(...args: string[]): Promise<number | undefined> {
  if (Deno.build.os === "windows") return undefined;
  try {
    const cp = new Deno.Command("cp", { args, stdin: "null", stdout: "null", stderr: "null" });
    return (await cp.output()).code;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

let hasCp: Promise<boolean> | undefined;

/** What takes long, such as copying a program, lets others run meanwhile; the rest is done at once. */
export const realOs: Os = {
  system: Deno.build.os,
  uid: () => Deno.build.os === "windows" ? undefined : Deno.uid() ?? undefined,
  read: (path) => now(() => Deno.readFileSync(path)).catch(absentIsUndefined),
  stat: (path) => now(() => toStat(Deno.statSync(path))).catch(absentIsUndefined),
  lstat: (path) => now(() => toStat(Deno.lstatSync(path))).catch(absentIsUndefined),
  readlink: (path) => now(() => Deno.readLinkSync(path)),
  list: (path) => now(() => Array.from(Deno.readDirSync(path), ({ name }) => name)),
  hash: (path) =>
    now(() => {
      const hash = createHash("sha256");
      using file = Deno.openSync(path, { read: true });
      const buffer = new Uint8Array(1 << 18);
      for (let n = file.readSync(buffer); n !== null; n = file.readSync(buffer)) {
        hash.update(buffer.subarray(0, n));
      }
      return hash.digest("hex");
    }),
  create: (path, bytes, mode) =>
    now(() => {
      using file = Deno.openSync(path, { write: true, createNew: true, mode });
      writeAll(file, bytes);
      file.syncSync();
    }),
  async copy(from, to, mode) {
    using source = await Deno.open(from, { read: true });
    using file = await Deno.open(to, { write: true, createNew: true, mode });
    const buffer = new Uint8Array(1 << 20);
    for (let n = await source.read(buffer); n !== null; n = await source.read(buffer)) {
      writeAll(file, buffer.subarray(0, n));
    }
    await file.sync();
  },
  copyWithAttributes: async (from, to) => await runCp("-a", "--", from, to) === 0,
  // What matters is that there is such a program, not what it answers.
  keepsAttributes: () => hasCp ??= runCp().then((code) => code !== undefined),
  overwrite: (path, bytes) =>
    now(() => {
      using file = Deno.openSync(path, { write: true });
      writeAll(file, bytes);
      file.truncateSync(bytes.length);
      file.syncSync();
    }),
  isWritable: (path) => now(() => Deno.openSync(path, { write: true }).close()).then(() => true, () => false),
  hardlink: (from, to) => now(() => Deno.linkSync(from, to)),
  rename: (from, to) => now(() => Deno.renameSync(from, to)),
  remove: (path) => now(() => Deno.removeSync(path)),
  // On Windows, ordinary users may create junctions but no symlinks.
  symlink: (to, path) =>
    now(() => Deno.symlinkSync(to, path, Deno.build.os === "windows" ? { type: "junction" } : undefined)),
  mkdir: (path, mode) => now(() => Deno.mkdirSync(path, { mode })),
  chmod: (path, mode) => now(() => Deno.build.os === "windows" ? undefined : Deno.chmodSync(path, mode)),
  chown: (path, uid, gid) => now(() => Deno.chownSync(path, uid, gid)),
  syncDir: (path) =>
    now(() => {
      // Windows cannot open a directory, and does not need to.
      if (Deno.build.os === "windows") return;
      using directory = Deno.openSync(path, { read: true });
      directory.syncSync();
    }),
  tryLock: (path) =>
    now(() => {
      const file = Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
      if (file.tryLockSync(true)) {
        // The previous holder may have removed the file: a lock on a removed file excludes nobody.
        if (file.statSync().ino === inodeOf(path)) return { release: () => now(() => file.close()) };
      }
      file.close();
      return undefined;
    }),
};
