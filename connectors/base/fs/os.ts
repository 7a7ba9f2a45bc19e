/** What `stat` and `lstat` tell. */
export interface Stat {
  readonly kind: "file" | "directory" | "link" | "other";
  readonly size: number;
  /** Permission bits; undefined where the system has none. */
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  /** Tells whether two names are one file. */
  readonly inode?: number;
  /** When it was last written, in ms. */
  readonly modified?: number;
}

/** A file lock that ends with the process that holds it, however that ends. */
export interface Held {
  release(): Promise<void>;
}

/**
 * The one door to the file system: planning and applying go through it, so that
 * a test can look at every step, or end the program at any of them. Reading
 * what is absent gives undefined; everything else that fails, throws.
 */
export interface Os {
  readonly system: typeof Deno.build.os;
  read(path: string): Promise<Uint8Array | undefined>;
  stat(path: string): Promise<Stat | undefined>;
  lstat(path: string): Promise<Stat | undefined>;
  readlink(path: string): Promise<string>;
  list(path: string): Promise<string[]>;
  /** Creates a file that must not exist yet, writes it, and waits until it is on the disk. */
  create(path: string, bytes: Uint8Array, mode: number): Promise<void>;
  /** Copies into a file that must not exist yet, and waits until it is on the disk. */
  copy(from: string, to: string, mode: number): Promise<void>;
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

function absentIsUndefined(error: unknown): undefined {
  // A path that leads through a file names nothing either.
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
  throw error;
}

function toStat(info: Deno.FileInfo): Stat {
  const kind = info.isSymlink ? "link" : info.isFile ? "file" : info.isDirectory ? "directory" : "other";
  return {
    kind,
    size: info.size,
    mode: info.mode === null ? undefined : info.mode & 0o7777,
    uid: info.uid ?? undefined,
    gid: info.gid ?? undefined,
    inode: info.ino ?? undefined,
    modified: info.mtime?.getTime(),
  };
}

async function synced(
  path: string,
  mode: number,
  write: (file: Deno.FsFile) => Promise<unknown>,
): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true, mode });
  await write(file);
  await file.sync();
}

export const realOs: Os = {
  system: Deno.build.os,
  read: (path) => Deno.readFile(path).catch(absentIsUndefined),
  stat: (path) => Deno.stat(path).then(toStat, absentIsUndefined),
  lstat: (path) => Deno.lstat(path).then(toStat, absentIsUndefined),
  readlink: (path) => Deno.readLink(path),
  list: (path) => Array.fromAsync(Deno.readDir(path), (entry) => entry.name),
  create: (path, bytes, mode) =>
    synced(path, mode, async (file) => {
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    }),
  async copy(from, to, mode) {
    using source = await Deno.open(from, { read: true });
    await synced(to, mode, async (file) => {
      const buffer = new Uint8Array(1 << 20);
      for (let n = await source.read(buffer); n !== null; n = await source.read(buffer)) {
        for (let at = 0; at < n;) at += await file.write(buffer.subarray(at, n));
      }
    });
  },
  hardlink: (from, to) => Deno.link(from, to),
  rename: (from, to) => Deno.rename(from, to),
  remove: (path) => Deno.remove(path),
  // Windows lets an ordinary user make junctions, and no symlinks.
  symlink: (to, path) =>
    Deno.symlink(to, path, Deno.build.os === "windows" ? { type: "junction" } : undefined),
  mkdir: (path, mode) => Deno.mkdir(path, { mode }),
  chmod: (path, mode) => Deno.build.os === "windows" ? Promise.resolve() : Deno.chmod(path, mode),
  chown: (path, uid, gid) => Deno.chown(path, uid, gid),
  async syncDir(path) {
    // Windows cannot open a directory, and needs no such thing.
    if (Deno.build.os === "windows") return;
    using directory = await Deno.open(path, { read: true });
    await directory.sync();
  },
  async tryLock(path) {
    const file = await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
    if (await file.tryLock(true)) {
      // The holder before us may have removed the file: a lock on what has no name locks nobody out.
      const [ours, there] = [await file.stat(), await Deno.stat(path).catch(absentIsUndefined)];
      // Closing gives the lock back.
      if (there && ours.ino === there.ino) return { release: () => Promise.resolve(file.close()) };
    }
    file.close();
    return undefined;
  },
};
