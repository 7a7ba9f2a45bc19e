import { type Comment, commentsIn } from "./comments.ts";
import type { Format } from "../edit.ts";
import { indentAt, lineEnd, lineStart, type Splice } from "../text/splice.ts";

/** Cuts that leave the comments which a user wrote inside them; undefined if there are none. */
export function withComments(format: Format, text: string, cuts: readonly Splice[]): Splice[] | undefined {
  const comments = commentsIn(format, text);
  let any = false;
  const kept = cuts.map((cut): Splice => {
    if (cut.text !== "") return cut;
    const inside = comments.filter(({ start, end }) => start >= cut.start && end <= cut.end);
    if (inside.length === 0) return cut;
    any = true;
    return { ...cut, text: leftover(text, cut, inside) };
  });
  return any ? kept.filter((cut) => !isTrim(text, cut, kept)) : undefined;
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
  const lines = comments.map(({ start, text: comment }) => indentAt(text, start) + comment);
  const atLineStart = cut.start === lineStart(text, cut.start) && cut.start !== text.length;
  if (atLineStart) return lines.join(eol) + (/\n$/.test(removed) || cut.end < text.length ? eol : "");
  const next = text.charAt(cut.end);
  return eol + lines.join(eol) + (next === "" || next === "\n" || next === "\r" ? "" : eol);
}
