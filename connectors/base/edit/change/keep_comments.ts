import { type Comment, commentsIn } from "./comments.ts";
import type { Format } from "../edit.ts";
import { afterComments, indentAt, lineEnd, lineStart, type Splice } from "../text/splice.ts";

/** What is cut out of a text, without and with the comments in it. */
interface Kept {
  readonly cuts: readonly Splice[];
  /** The same cuts, but the comments stay. */
  readonly leaving: readonly Splice[];
}

/** Cuts that leave the comments which a user wrote inside them; undefined if there are none. */
export function withComments(format: Format, text: string, removed: readonly Splice[]): Kept | undefined {
  const comments = commentsIn(format, text);
  const cuts = format === "yaml" ? removed.map((cut) => withCommentsBelow(text, cut, removed)) : removed;
  let any = false;
  const leaving = cuts.map((cut): Splice => {
    if (cut.text !== "") return cut;
    const inside = comments.filter(({ start, end }) => start >= cut.start && end <= cut.end);
    if (inside.length === 0) return cut;
    any = true;
    return { ...cut, text: leftover(text, cut, inside) };
  });
  return any ? { cuts, leaving: leaving.filter((cut) => !isTrim(text, cut, leaving)) } : undefined;
}

/** A cut of lines, with the comments below them that are indented further: a `|` value above would take these in. */
function withCommentsBelow(text: string, cut: Splice, cuts: readonly Splice[]): Splice {
  const { start, end } = cut;
  if (cut.text !== "" || start !== lineStart(text, start) || end !== lineStart(text, end)) return cut;
  const below = afterComments(text, end, indentAt(text, start).length + 1);
  const next = cuts.map((other) => other.start).filter((at) => at >= end);
  return { ...cut, end: Math.min(below, ...next) };
}

/** The line break before an end that was cut off: a comment that stays there needs it. */
function isTrim(text: string, cut: Splice, cuts: readonly Splice[]): boolean {
  return cut.text === "" && /^\r?\n$/.test(text.slice(cut.start, cut.end)) && !text.endsWith("\n") &&
    cuts.some((other) => other.start >= cut.end && other.text !== "");
}

function leftover(text: string, cut: Splice, comments: readonly Comment[]): string {
  const removed = text.slice(cut.start, cut.end);
  if (!removed.includes("\n") && comments.every((comment) => comment.text.startsWith("/*"))) {
    return comments.map((comment) => ` ${comment.text}`).join("");
  }
  const eol = lineEnd(text);
  const atLineStart = cut.start === lineStart(text, cut.start) && cut.start !== text.length;
  // A line that is indented further than what was removed could belong to a `|` value before it.
  const lines = comments.map(({ start, text: comment }) =>
    indentAt(text, atLineStart ? cut.start : start) + comment
  );
  if (atLineStart) return lines.join(eol) + (/\n$/.test(removed) || cut.end < text.length ? eol : "");
  const next = text.charAt(cut.end);
  return eol + lines.join(eol) + (next === "" || next === "\n" || next === "\r" ? "" : eol);
}
