import { remove } from "../state/state_file.ts";

/** A temporary file lives for milliseconds; one from this long ago belongs to a process that was killed. */
const ORPHANED_MS = 3600 * 1000;

/** Removes the temporary files that killed processes left behind. */
export function sweepTemporary(stateDir: string, now: () => number = Date.now): void {
  for (const dir of [stateDir, `${stateDir}/spool`, `${stateDir}/sessions`]) {
    for (const path of temporaryFiles(dir)) {
      try {
        const age = now() - (Deno.lstatSync(path).mtime?.getTime() ?? 0);
        // A date in the future is from a clock that was wrong.
        if (Math.abs(age) > ORPHANED_MS) remove(path);
      } catch {
        // It is gone.
      }
    }
  }
}

function temporaryFiles(dir: string): string[] {
  try {
    return [...Deno.readDirSync(dir)].filter(({ isFile, name }) => isFile && name.endsWith(".tmp"))
      .map(({ name }) => `${dir}/${name}`);
  } catch {
    return [];
  }
}
