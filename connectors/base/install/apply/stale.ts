import type { Guard } from "../../fs/atomic_write.ts";
import { throughLinks } from "../../fs/file_path.ts";
import type { Os } from "../../fs/os.ts";
import { sameBytes } from "../../fs/same_bytes.ts";
import type { Change } from "../plan/plan.ts";

/** Another program changed a file after the plan was made: the plan must be made again. */
export class FileChanged extends Error {
  override name = "FileChanged";
  constructor(readonly path: string) {
    super(`${path} was changed by another program`);
  }
}

/** The last look at a file, right before it is replaced: only the rename itself is left to lose a change in. */
export function guardFor(os: Os, change: Change): Guard {
  return async () => {
    if (await isStaleChange(os, change)) throw new FileChanged(change.path);
  };
}

/** Whether a file is not as it was when the change was planned. */
export async function isStaleChange(os: Os, change: Change): Promise<boolean> {
  if (change.kind === "write" || change.kind === "remove") {
    if (await throughLinks(os, change.path) !== change.real && change.target !== "secret") return true;
    const now = await os.read(change.real);
    return now === undefined ? change.before !== undefined : !change.before || !sameBytes(now, change.before);
  }
  const now = await os.lstat(change.path);
  if (change.kind === "link" || change.kind === "unlink") {
    const was = now?.kind === "link" ? await os.readlink(change.path) : undefined;
    return was !== change.was || (now !== undefined && was === undefined);
  }
  return (now !== undefined) !== (change.kind === "program" ? change.replaces : true);
}
