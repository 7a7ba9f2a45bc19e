import type { Held, Os } from "../../fs/os.ts";
import { quickOs } from "./quick_os.ts";

/** Thrown at the step at which the program dies, and at every later one. */
export class Died extends Error {
  override name = "Died";
}

/** A system on which the program dies at its nth change; a file that is being written then is left half written. */
export function dyingOs(at: number): { readonly os: Os; readonly steps: () => number } {
  let count = 0;
  let dead = false;
  const locks: Held[] = [];
  const alive = () => {
    if (dead) throw new Died("dead");
  };
  const step = async (half?: () => Promise<void>) => {
    alive();
    if (++count < at) return;
    dead = true;
    await half?.();
    // The system takes a dead process's locks back.
    for (const lock of locks) await lock.release();
    throw new Died(`died at step ${at}`);
  };
  const doing =
    <A extends unknown[]>(act: (...args: A) => Promise<void>, half?: (...args: A) => Promise<void>) =>
    async (...args: A) => {
      await step(half && (() => half(...args)));
      await act(...args);
    };
  const looking = <A extends unknown[], R>(look: (...args: A) => Promise<R>) => async (...args: A) => {
    alive();
    return await look(...args);
  };
  return {
    steps: () => count,
    os: {
      system: quickOs.system,
      uid: quickOs.uid,
      read: looking(quickOs.read),
      hash: looking(quickOs.hash),
      isWritable: looking(quickOs.isWritable),
      keepsAttributes: looking(quickOs.keepsAttributes),
      stat: looking(quickOs.stat),
      lstat: looking(quickOs.lstat),
      readlink: looking(quickOs.readlink),
      list: looking(quickOs.list),
      create: doing(
        quickOs.create,
        (path: string, bytes: Uint8Array, mode: number) =>
          quickOs.create(path, bytes.subarray(0, bytes.length >> 1), mode),
      ),
      copy: doing(
        quickOs.copy,
        (_from: string, to: string, mode: number) => quickOs.create(to, new Uint8Array(3), mode),
      ),
      copyWithAttributes: async (from, to) => {
        await step(() => quickOs.create(to, new Uint8Array(3), 0o600));
        return await quickOs.copyWithAttributes(from, to);
      },
      overwrite: doing(
        quickOs.overwrite,
        (path: string, bytes: Uint8Array) => quickOs.overwrite(path, bytes.subarray(0, bytes.length >> 1)),
      ),
      hardlink: doing(quickOs.hardlink),
      rename: doing(quickOs.rename),
      remove: doing(quickOs.remove),
      symlink: doing(quickOs.symlink),
      mkdir: doing(quickOs.mkdir),
      chmod: doing(quickOs.chmod),
      chown: doing(quickOs.chown),
      syncDir: doing(quickOs.syncDir),
      async tryLock(path) {
        await step();
        const held = await quickOs.tryLock(path);
        if (held) locks.push(held);
        return held && { release: async () => dead ? undefined : await held.release() };
      },
    },
  };
}
