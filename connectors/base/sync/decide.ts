import { withBlock } from "../identity/block.ts";
import type { Composed } from "../identity/compose.ts";
import { isGenerated, withoutDateLine } from "../identity/header.ts";

/** The identity file as it is on disk. */
export type Current =
  | { readonly kind: "absent" }
  /** `text` is undefined where the bytes are not UTF-8. */
  | { readonly kind: "file"; readonly text: string | undefined; readonly digest: string }
  /** A directory, a FIFO, something unreadable or huge: a sentence says which. */
  | { readonly kind: "untouchable"; readonly why: string };

export type Decision =
  | { readonly kind: "write"; readonly text: string; readonly keepEdited: boolean }
  /** `adopt` is the digest that the ledger should hold and does not. */
  | { readonly kind: "unchanged"; readonly adopt?: string }
  | { readonly kind: "leave"; readonly why: string };

/** What to do with a file that is wholly ours; `recorded` is the ledger's digest of it. */
export function decideOwn(current: Current, composed: Composed, recorded: string | undefined): Decision {
  if (current.kind === "untouchable") return { kind: "leave", why: current.why };
  if (current.kind === "absent") return { kind: "write", text: composed.text, keepEdited: false };
  const { text, digest } = current;
  if (text !== undefined && withoutDateLine(text) === withoutDateLine(composed.text)) {
    return digest === recorded ? { kind: "unchanged" } : { kind: "unchanged", adopt: digest };
  }
  if (digest === recorded) return { kind: "write", text: composed.text, keepEdited: false };
  if (text === undefined || !isGenerated(text)) {
    return { kind: "leave", why: "it was written by you; to have it generated, move it away" };
  }
  // Signet's own connectors write the same header, so the header alone does not make it ours.
  if (recorded === undefined) {
    return {
      kind: "leave",
      why: "it is generated, but not by this connector; to have it generated anew, move it away",
    };
  }
  return { kind: "write", text: composed.text, keepEdited: true };
}

/** What to do with a file of the user's that carries our block. */
export function decideBlock(current: Current, composed: Composed): Decision {
  if (current.kind === "untouchable") return { kind: "leave", why: current.why };
  if (current.kind === "file" && current.text === undefined) {
    return { kind: "leave", why: "it is not UTF-8 text; save it as UTF-8" };
  }
  const before = current.kind === "file" ? current.text ?? "" : "";
  const text = withBlock(before, composed.block);
  return text === before ? { kind: "unchanged" } : { kind: "write", text, keepEdited: false };
}
