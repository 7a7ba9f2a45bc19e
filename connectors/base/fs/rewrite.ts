import { atomicWrite, type Guard, tempBeside } from "./atomic_write.ts";
import { dirOf } from "./file_path.ts";
import type { Os, Stat } from "./os.ts";

/**
 * Replaces the content of a user's file, and keeps its owner, ACL, extended attributes and
 * hard links. A file with more than one name, or with an owner that a new file cannot have,
 * is written in place, because there is no other way to keep that.
 */
export async function rewrite(
  os: Os,
  path: string,
  bytes: Uint8Array,
  mode: number,
  guard: Guard = () => Promise.resolve(),
): Promise<void> {
  const old = await os.stat(path);
  if (!old) return await atomicWrite(os, path, bytes, mode, guard);
  if (hasOtherNames(old)) return await writeInPlace(os, path, bytes, guard);
  const temp = tempBeside(path);
  try {
    if (await os.copyWithAttributes(path, temp) && isLike(old, await os.stat(temp))) {
      await os.overwrite(temp, bytes);
      if (mode !== old.mode) await os.chmod(temp, mode);
      await guard();
      await os.rename(temp, path);
      return await os.syncDir(dirOf(path));
    }
  } catch (error) {
    await os.remove(temp).catch(() => {});
    throw error;
  }
  await os.remove(temp).catch(() => {});
  const keeps = isForeign(os, old) && await os.isWritable(path);
  await (keeps ? writeInPlace(os, path, bytes, guard) : atomicWrite(os, path, bytes, mode, guard));
}

/** What a rewrite does to a file besides its content, for the diff. */
export async function rewriteNotes(os: Os, path: string): Promise<string[]> {
  const old = await os.stat(path);
  if (!old) return [];
  if (hasOtherNames(old)) return ["written in place, because it has more than one name (hard links)"];
  if (!isForeign(os, old)) {
    // Windows keeps the access list of the directory.
    if (os.system === "windows" || await os.keepsAttributes()) return [];
    return [
      "its ACL and extended attributes, if any, are not kept, because there is no `cp` on this machine",
    ];
  }
  return [
    await os.isWritable(path)
      ? "written in place, because it belongs to another user"
      : "its owner is not kept: only root can create a file of another user",
  ];
}

function hasOtherNames({ links }: Stat): boolean {
  return links !== undefined && links > 1;
}

/** A file of another user, whose owner only root can keep. */
function isForeign(os: Os, { uid }: Stat): boolean {
  const user = os.uid();
  return user !== undefined && user !== 0 && uid !== undefined && uid !== user;
}

function isLike(old: Stat, copy: Stat | undefined): boolean {
  return copy !== undefined && copy.uid === old.uid && copy.gid === old.gid && copy.mode === old.mode;
}

async function writeInPlace(os: Os, path: string, bytes: Uint8Array, guard: Guard): Promise<void> {
  const before = await os.read(path);
  await guard();
  try {
    await os.overwrite(path, bytes);
  } catch (error) {
    if (before) await os.overwrite(path, before).catch(() => {});
    throw error;
  }
}
