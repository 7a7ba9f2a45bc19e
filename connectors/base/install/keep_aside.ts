import type { PlanDraft } from "./plan/plan_draft.ts";
import type { UserFile } from "./user_file.ts";

/** Plans a copy of a generated file that the user edited, before it is replaced or removed. */
export async function keepAside(draft: PlanDraft, { path, real, bytes, mode }: UserFile): Promise<void> {
  if (!bytes) return;
  const taken = new Set(draft.changes.map((change) => change.path));
  for (let n = 1;; n++) {
    const suffix = n === 1 ? ".edited" : `.edited.${n}`;
    if (taken.has(path + suffix) || await draft.os.lstat(real + suffix)) continue;
    draft.changes.push({
      kind: "write",
      path: path + suffix,
      real: path + suffix,
      target: "file",
      after: bytes,
      mode,
    });
    draft.warnings.push(`${path} was edited; your version is in ${path}${suffix}`);
    return;
  }
}
