import { sameBytes } from "./digest.ts";
import { DraftPart, why } from "./draft_part.ts";
import type { Target } from "./harness.ts";
import { dirOf } from "./file_path.ts";
import { ownRecord } from "./known_file.ts";
import type { Os } from "./os.ts";

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
    // Run from where it is installed: there is nothing to copy. Where it is this user's own file it is
    // recorded, whoever put it there, so that uninstall leaves no dead program; an administrator's stays.
    if (there && there.inode !== undefined && there.inode === source.inode) {
      if (there.uid !== await ownerOf(os, draft.request.stateDir)) return;
      draft.files.push(await ownRecord(draft, path, "program", await os.read(path) ?? new Uint8Array()));
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

/** Who owns the nearest directory that is there already. */
async function ownerOf(os: Os, dir: string): Promise<number | undefined> {
  const found = await os.stat(dir);
  return found || dir === dirOf(dir) ? found?.uid : await ownerOf(os, dirOf(dir));
}
