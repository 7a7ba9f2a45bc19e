import { isOnPath } from "../../connectors/base/testing/on_path.ts";

/** Puts a disk in memory at a directory; `options` limit it, as in `size=64k`. False where that is not allowed. */
export function mountSmallDisk(dir: string, options: string): boolean {
  const args = ["-t", "tmpfs", "-o", `${options},mode=0700`, "tmpfs", dir];
  return isOnPath("mount") && new Deno.Command("mount", { args, stderr: "null" }).outputSync().success;
}

/** Also while a child that another test starts has inherited an open file on it (`-l`). */
export function unmount(dir: string): void {
  new Deno.Command("umount", { args: ["-l", dir], stderr: "null" }).outputSync();
}

export function canMount(): boolean {
  const dir = Deno.makeTempDirSync();
  try {
    if (!mountSmallDisk(dir, "size=64k")) return false;
    unmount(dir);
    return true;
  } finally {
    Deno.removeSync(dir);
  }
}
