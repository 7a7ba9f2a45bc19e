import { putBlock } from "../install/marked_block.ts";
import { ConfigError } from "../edit/tree.ts";
import type { Composed } from "../identity/compose.ts";
import { isGenerated, withoutDateLine } from "../identity/header.ts";

/** The identity file as it is on disk. */
export type IdentityFile =
  | { readonly kind: "absent" }
  /** `text` is undefined if the bytes are not UTF-8. */
  | { readonly kind: "file"; readonly text: string | undefined; readonly digest: string }
  /** A directory, a FIFO, unreadable or too large, as `reason` explains. */
  | { readonly kind: "untouchable"; readonly reason: string };

/** `keepEdited`: the user edited a generated file, so their version is copied first. */
export type Decision =
  | { readonly kind: "put"; readonly keepEdited: boolean }
  | { readonly kind: "leave"; readonly reason: string };

const PUT: Decision = { kind: "put", keepEdited: false };

/** What to do with a generated file; `recorded` are its digests in the ledger. */
export function decideOwn(
  current: IdentityFile,
  composed: Composed,
  recorded: readonly string[] | undefined,
): Decision {
  if (current.kind === "untouchable") return { kind: "leave", reason: current.reason };
  if (current.kind === "absent") return PUT;
  const { text, digest } = current;
  // Even if it is not in the ledger, because the state was deleted.
  if (text !== undefined && withoutDateLine(text) === withoutDateLine(composed.text)) return PUT;
  if (text === undefined || !isGenerated(text)) {
    return { kind: "leave", reason: "it was written by you; to have it generated, move it away" };
  }
  // Signet's connectors write the same header, so the header alone does not prove that we wrote it.
  if (recorded === undefined) {
    return {
      kind: "leave",
      reason: "it is generated, but not by this connector; to have it generated again, move it away",
    };
  }
  return recorded.includes(digest) ? PUT : { kind: "put", keepEdited: true };
}

/** What to do with a user's file that holds our block. */
export function decideBlock(current: IdentityFile, composed: Composed): Decision {
  if (current.kind === "untouchable") return { kind: "leave", reason: current.reason };
  if (current.kind === "absent") return PUT;
  if (current.text === undefined) return { kind: "leave", reason: "it is not UTF-8 text; save it as UTF-8" };
  try {
    putBlock(current.text, composed.inner);
    return PUT;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { kind: "leave", reason: `line ${error.line}: ${error.message}` };
  }
}
