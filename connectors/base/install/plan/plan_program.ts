import { PlanDraft } from "./plan_draft.ts";
import { errorReason } from "../../fs/error_reason.ts";
import type { Target } from "../../harness.ts";
import { programRecord } from "../ledger/file_record.ts";
import type { Os, Stat } from "../../fs/os.ts";

/** Plans the copy of the program to the path that the hooks call. */
export async function planProgram(
  draft: PlanDraft,
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
    const installed = await os.lstat(path);
    // A program of its own takes the place of a link to signet-connect.
    const ourLink = installed?.kind === "link" && draft.old?.links.some((link) => link.path === path);
    if (installed && installed.kind !== "file" && !ourLink) {
      draft.problems.push(
        `${path} is not a regular file, so the program cannot be installed there; move it away and try again`,
      );
      return;
    }
    // The program runs from its installed path, so there is nothing to copy.
    if (installed && installed.inode !== undefined && installed.inode === source.inode) {
      draft.files.push(programRecord(draft, path, await programHash(os, path, installed), false));
      return;
    }
    const hash = await programHash(os, from, source);
    // A program that someone else put there is brought up to date, and is not removed by an uninstall.
    draft.files.push(programRecord(draft, path, hash, installed === undefined || ourLink === true));
    if (installed?.size === source.size && await programHash(os, path, installed) === hash) return;
    await draft.needsDir(path);
    draft.changes.push({ kind: "program", path, from, replaces: installed !== undefined });
  } catch (error) {
    draft.problems.push(`${path} cannot be installed (${errorReason(error)})`);
  }
}

const hashes = new Map<string, Promise<string>>();

/** The digest of a program. Cached: 97 MB are read once, even for several harnesses. */
export function programHash(os: Os, path: string, { size, inode, modified }: Stat): Promise<string> {
  const key = JSON.stringify([path, size, inode, modified]);
  const known = hashes.get(key) ?? os.hash(path);
  hashes.set(key, known);
  return known;
}
