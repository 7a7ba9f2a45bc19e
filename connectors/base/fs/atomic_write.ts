import { dirOf, nameOf, within } from "./file_path.ts";
import type { Os } from "./os.ts";

const LEFTOVER = /^\.(.+)\.signet-[0-9a-f]{12}\.tmp$/;

/** An unused name in the directory of a file. */
export function tempBeside(path: string): string {
  const random = Array.from(
    crypto.getRandomValues(new Uint8Array(6)),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
  return within(dirOf(path), `.${nameOf(path)}.signet-${random}.tmp`);
}

/** Runs right before a file is replaced; throws if it must not be. */
export type Guard = () => Promise<void>;

const NO_GUARD: Guard = () => Promise.resolve();

/** Replaces a file atomically: readers see the old bytes or the new ones, even after a power failure. */
export async function atomicWrite(
  os: Os,
  path: string,
  bytes: Uint8Array,
  mode: number,
  guard?: Guard,
): Promise<void> {
  const temp = tempBeside(path);
  await putStaged(os, temp, path, mode, guard, () => os.create(temp, bytes, 0o600));
}

/** The same for a program, which is large and may be running. */
export async function atomicCopy(os: Os, from: string, path: string): Promise<void> {
  const temp = tempBeside(path);
  await putStaged(os, temp, path, 0o755, NO_GUARD, () => os.copy(from, temp, 0o700));
}

/** Renames a temporary file to `path`; removes it if that fails. */
export async function putStaged(
  os: Os,
  temp: string,
  path: string,
  mode: number,
  guard: Guard = NO_GUARD,
  make: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  try {
    await make();
    await keepOwner(os, path, temp);
    await os.chmod(temp, mode);
    await guard();
    // Windows does not allow replacing a running program, only renaming it.
    if (os.system === "windows" && await os.lstat(path)) await aside(os, path);
    await os.rename(temp, path);
  } catch (error) {
    await os.remove(temp).catch(() => {});
    throw error;
  }
  await os.syncDir(dirOf(path));
}

/** Keeps the owner of a file that root edits. */
async function keepOwner(os: Os, path: string, temp: string): Promise<void> {
  const old = await os.stat(path);
  if (old?.uid === undefined || old.gid === undefined) return;
  const made = await os.stat(temp);
  if (made?.uid === old.uid && made.gid === old.gid) return;
  // A user who may write the file but not chown it can still edit it.
  await os.chown(temp, old.uid, old.gid).catch((error) => {
    if (!(error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable)) {
      throw error;
    }
  });
}

async function aside(os: Os, path: string): Promise<void> {
  const old = tempBeside(path);
  await os.rename(path, old);
  await os.remove(old).catch(() => {});
}

/** Removes temporary files that a killed install left beside these files. Requires the lock. */
export async function sweep(os: Os, paths: Iterable<string>): Promise<void> {
  const byDir = new Map<string, Set<string>>();
  for (const path of paths) {
    const names = byDir.get(dirOf(path)) ?? new Set();
    byDir.set(dirOf(path), names.add(nameOf(path)));
  }
  for (const [dir, names] of byDir) {
    if ((await os.stat(dir))?.kind !== "directory") continue;
    for (const name of await os.list(dir).catch(() => [])) {
      const owner = LEFTOVER.exec(name)?.[1];
      if (owner !== undefined && names.has(owner)) await os.remove(within(dir, name)).catch(() => {});
    }
  }
}
