import { writeAtomically } from "./atomic_write.ts";
import { digestOf } from "./current.ts";
import type { Change, Owned, SyncDoor } from "./job.ts";

/** A door with a record of its own in `directory`, for use without the plan engine. */
export function fileDoor(directory: string): SyncDoor {
  const record = `${directory}/sync.json`;
  return {
    async exclusively(work) {
      await Deno.mkdir(directory, { recursive: true, mode: 0o700 });
      using lock = await Deno.open(`${directory}/sync.lock`, { create: true, write: true, mode: 0o600 });
      await lock.lock(true);
      try {
        return await work();
      } finally {
        await lock.unlock();
      }
    },
    owned: () => read(record),
    async apply(changes) {
      const owned = await read(record);
      const files = new Map(owned.files);
      const links = new Map(owned.links);
      for (const change of changes) {
        await make(change);
        if (change.kind === "write") files.set(change.path, await digestOf(change.text));
        if (change.kind === "adopt") files.set(change.path, change.digest);
        if (change.kind === "link") links.set(change.path, change.to);
        if (change.kind === "unlink") links.delete(change.path);
        await writeAtomically(record, JSON.stringify({ files: [...files], links: [...links] }));
      }
    },
  };
}

async function read(record: string): Promise<Owned> {
  try {
    const { files, links } = JSON.parse(await Deno.readTextFile(record));
    return { files: new Map(files), links: new Map(links) };
  } catch {
    return { files: new Map(), links: new Map() };
  }
}

async function make(change: Change): Promise<void> {
  if (change.kind === "write") await writeAtomically(change.path, change.text);
  if (change.kind === "keep") await Deno.copyFile(change.path, change.as);
  if (change.kind === "unlink") await Deno.remove(change.path);
  if (change.kind === "link") {
    await Deno.mkdir(change.path.replace(/[\\/][^\\/]*$/, ""), { recursive: true });
    await Deno.remove(change.path).catch(() => {});
    await Deno.symlink(change.to, change.path, { type: "junction" });
  }
}
