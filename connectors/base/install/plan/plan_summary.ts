import { diffLines, sharedEnds, splitLines } from "../../edit/text/diff.ts";
import { decode } from "../../fs/text_bytes.ts";
import type { Change, Plan } from "./plan.ts";

/** One row per file that a plan changes: its path, and how many lines are added and removed. */
export function planSummary(plan: Plan): [string, string][] {
  const rows = new Map<string, string>();
  // Several harnesses may install the same program.
  for (const change of plan.changes) rows.set(change.path, effect(change));
  return [...rows];
}

function effect(change: Change): string {
  switch (change.kind) {
    case "link":
      return `link to ${change.to}`;
    case "unlink":
      return "link removed";
    case "program":
      return change.replaces ? "program, replaced" : "program";
    case "remove-program":
      return "program removed";
    case "write":
    case "remove": {
      const after = change.kind === "write" ? change.after : undefined;
      const lines = lineCounts(change.before, after);
      if (change.target === "secret") return `${lines}  the key, readable only by you`;
      return after === undefined
        ? `${lines}  removed`
        : change.before === undefined
        ? `${lines}  new`
        : lines;
    }
  }
}

function lineCounts(before: Uint8Array | undefined, after: Uint8Array | undefined): string {
  const text = (bytes: Uint8Array | undefined) => bytes ? decode(bytes) ?? "" : "";
  const [was, is] = [text(before), text(after)];
  const { head, tail } = sharedEnds(was, is);
  const middle = (text: string) => splitLines(text.slice(head, text.length - tail));
  let [added, removed] = [0, 0];
  for (const hunk of diffLines(middle(was), middle(is))) {
    added += hunk.bEnd - hunk.bStart;
    removed += hunk.aEnd - hunk.aStart;
  }
  return `+${added} −${removed}`;
}
