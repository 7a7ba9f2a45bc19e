import { PlanDraft } from "./plan/plan_draft.ts";
import { errorReason } from "../fs/error_reason.ts";
import { throughLinks } from "../fs/file_path.ts";
import { rewriteNotes } from "../fs/rewrite.ts";
import { decode } from "../fs/text_bytes.ts";

/** A text file that may be the user's, and its current content. */
export interface UserFile {
  readonly path: string;
  readonly real: string;
  readonly bytes?: Uint8Array;
  readonly text?: string;
  readonly mode: number;
  /** What writing it does besides changing its content. */
  readonly notes?: readonly string[];
}

/** New files hold paths and settings of one user: no one else needs to read them. */
export const NEW_FILE_MODE = 0o600;

/** Reads a file before editing it; adds a problem to the plan if that is not possible. */
export async function readUserFile(draft: PlanDraft, path: string): Promise<UserFile | undefined> {
  const { os, problems } = draft;
  try {
    const real = await throughLinks(os, path);
    const found = await os.stat(real);
    if (!found) return { path, real, mode: NEW_FILE_MODE };
    if (found.kind !== "file") {
      problems.push(`${path} is not a file; move it away and try again`);
      return undefined;
    }
    const bytes = await os.read(real) ?? new Uint8Array();
    const text = decode(bytes);
    if (text === undefined) {
      problems.push(`${path} is not UTF-8 text, so it was left alone; convert it and try again`);
      return undefined;
    }
    const notes = await rewriteNotes(os, real);
    const mode = found.mode ?? NEW_FILE_MODE;
    return { path, real, bytes, text, mode, ...notes.length > 0 ? { notes } : {} };
  } catch (error) {
    problems.push(`${path} cannot be read (${errorReason(error)}); make it readable and try again`);
    return undefined;
  }
}

/** True if the file may be written. Replacing a read-only file would work, but its owner does not want it. */
export function mayWrite(draft: PlanDraft, file: UserFile): boolean {
  if (!file.bytes || (file.mode & 0o200) !== 0) return true;
  draft.problems.push(`${file.path} is read-only; make it writable (chmod u+w) and try again`);
  return false;
}
