import { digest } from "../fs/digest.ts";
import { throughLinks } from "../fs/file_path.ts";
import { encode } from "../fs/text_bytes.ts";
import { splice } from "../edit/text/splice.ts";
import type { FileRecord } from "./ledger/ledger.ts";
import { blockText } from "./marked_block.ts";
import { backupText } from "./original.ts";
import type { PlanDraft } from "./plan/plan_draft.ts";
import type { UserFile } from "./user_file.ts";

/** Another harness's record of the same file: people link one AGENTS.md to two harnesses. */
export async function siblingBlock(draft: PlanDraft, file: UserFile): Promise<FileRecord | undefined> {
  for (const record of draft.siblings.flatMap(({ files }) => files)) {
    if (record.kind !== "block") continue;
    const real = await throughLinks(draft.os, record.path).catch(() => undefined);
    if (real === file.real) return record;
  }
  return undefined;
}

/** Whether the user changed the text between our marks since we wrote it. */
export async function isBlockEdited(draft: PlanDraft, file: UserFile, record: FileRecord): Promise<boolean> {
  const before = record.existed ? await backupText(draft, record) : "";
  if (before === undefined || !record.splices || record.shared || !file.bytes) return false;
  // A killed install may have left the version before.
  if (record.after.includes(await digest(file.bytes))) return false;
  const written = splice(before, record.splices);
  if (await digest(encode(written)) !== record.after.at(-1)) return false;
  const now = blockText(file.text ?? "");
  return now !== undefined && now !== blockText(written);
}
