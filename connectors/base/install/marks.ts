import type { Edit } from "../edit/edit.ts";
import { same } from "../edit/json_value.ts";
import { dirOf, nameOf } from "../fs/file_path.ts";
import type { Target } from "../harness.ts";
import { isGenerated } from "../identity/header.ts";
import type { FileRecord, LinkRecord } from "./ledger/ledger.ts";
import { recordedEdits } from "./ledger/recorded_edits.ts";

// The ledger is a file like any other: it may be damaged, copied from elsewhere, or written by
// someone who wants a file deleted. So it alone is never a reason to delete or overwrite anything.

/** What the files that we write as a whole have near their top. */
const FILE_MARKS = [
  /^\/\/ Signet memory for .+ written by signet-/m,
  /^name: signet-[\w-]+\r?$/m,
  /^\s*"(?:name|id)": "signet-connector"/m,
  /Keeps Signet identity files current/,
];

/** Whether a file that we write as a whole carries our mark. */
export function hasFileMark(text: string): boolean {
  const top = text.slice(0, 1000);
  return isGenerated(text) || FILE_MARKS.some((mark) => mark.test(top));
}

/** Whether a path is where credentials are kept. */
export function isCredentialsPath(path: string, harness: string): boolean {
  return nameOf(path) === `${harness}.json` && /(?:^|[\\/])signet[\\/]connectors$/.test(dirOf(path));
}

/** Whether a path is the name of one of our programs. */
export function isProgramPath(path: string): boolean {
  return nameOf(path).startsWith("signet-");
}

/** Whether a link is one that we make: a skill of a workspace, or our service. */
export function isOurLink({ path, to }: LinkRecord): boolean {
  return /^skills$/.test(nameOf(dirOf(to))) || nameOf(path).startsWith("signet-");
}

/**
 * The edits of a record that carry our mark, or that the harness's connector makes at that
 * place (`known`); others are not touched.
 */
export function trustedEdits(record: FileRecord, known: readonly Target[]): Edit[] {
  const edits = known.flatMap((target) => target.kind === "edit" ? target.edits : []);
  return recordedEdits(record).filter((edit) => {
    const isKnown = edits.some((other) => other.kind === edit.kind && same(place(other), place(edit)));
    if (isKnown || edit.kind === "default" || (edit.kind === "entry" && edit.replaces)) return isKnown;
    return /signet/i.test(JSON.stringify([edit.path, edit.value]));
  });
}

/** Whether every edit of a record is trusted without knowing the harness. */
export function carriesMarks(record: FileRecord): boolean {
  return trustedEdits(record, []).length === (record.entries?.length ?? 0);
}

/** The place of an edit without what differs between two homes: Codex has a path and positions in a key. */
function place({ path }: Edit): string[] {
  return path.map((key) => key.replace(/^.*[\\/]/, "").replace(/\d+/g, "#"));
}
