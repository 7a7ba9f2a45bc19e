import { sameBytes } from "./digest.ts";
import { DraftPart, why } from "./draft_part.ts";
import type { Target } from "./harness.ts";
import { ownRecord } from "./known_file.ts";

/** Plans the copy of our own program to where the hooks will call it. */
export async function planProgram(
  draft: DraftPart,
  target: Extract<Target, { kind: "program" }>,
): Promise<void> {
  const { path, from } = target;
  const { os } = draft;
  try {
    const source = await os.stat(from);
    if (source?.kind !== "file") {
      draft.problems.push(`${from} is not a file, so it cannot be installed as ${path}`);
      return;
    }
    const there = await os.lstat(path);
    if (there && there.kind !== "file") {
      draft.problems.push(
        `${path} is not a plain file, so the program cannot be put there; move it away and try again`,
      );
      return;
    }
    // Run from where it is installed: there is nothing to copy.
    if (there && there.inode !== undefined && there.inode === source.inode) {
      const known = draft.oldFile(path) ?? draft.siblingFile(path);
      if (known) draft.files.push(known);
      return;
    }
    const bytes = await os.read(from) ?? new Uint8Array();
    draft.files.push(await ownRecord(draft, path, "program", bytes));
    if (there?.size === bytes.length && sameBytes(bytes, await os.read(path) ?? new Uint8Array())) return;
    await draft.needsDir(path);
    draft.changes.push({ kind: "program", path, from, replaces: there !== undefined });
  } catch (error) {
    draft.problems.push(`${path} cannot be installed (${why(error)})`);
  }
}
