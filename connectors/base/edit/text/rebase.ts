import { diffLines, sharedEnds, splitLines } from "./diff.ts";
import { type Splice, splice } from "./splice.ts";

/** The splices that turn one text into another, from a line diff. */
export function splicesBetween(from: string, to: string): Splice[] {
  const { head, tail } = sharedEnds(from, to);
  const a = splitLines(from.slice(head, from.length - tail));
  const b = splitLines(to.slice(head, to.length - tail));
  const aAt = offsets(a, head);
  const bAt = offsets(b, head);
  return diffLines(a, b).flatMap((hunk) => {
    const start = aAt[hunk.aStart] ?? from.length;
    const end = aAt[hunk.aEnd] ?? from.length;
    return tightened(from, start, end, to.slice(bAt[hunk.bStart] ?? to.length, bAt[hunk.bEnd] ?? to.length));
  });
}

function offsets(lines: readonly string[], start: number): number[] {
  const out = [start];
  for (const line of lines) out.push((out.at(-1) ?? 0) + line.length);
  return out;
}

function tightened(from: string, start: number, end: number, text: string): Splice[] {
  let head = 0;
  while (start + head < end && head < text.length && from[start + head] === text[head]) head++;
  // Text was added before and after the old text of a line: two smaller splices.
  const rest = from.slice(start + head, end);
  const whole = rest === "" ? -1 : text.indexOf(rest, head);
  if (whole > head && whole + rest.length < text.length) {
    return [
      { start: start + head, end: start + head, text: text.slice(head, whole) },
      { start: end, end, text: text.slice(whole + rest.length) },
    ];
  }
  let tail = 0;
  while (
    end - tail > start + head && text.length - tail > head &&
    from[end - 1 - tail] === text[text.length - 1 - tail]
  ) tail++;
  return [{ start: start + head, end: end - tail, text: text.slice(head, text.length - tail) }];
}

/**
 * Undoes splices in a text that was edited afterwards: `splices` turned `before`
 * into what was written, and `now` is that with the user's edits. Undefined if
 * the two overlap; the entries are then removed by their marks.
 */
export function undoSplices(before: string, splices: readonly Splice[], now: string): string | undefined {
  const written = splice(before, splices);
  const userEdits = splicesBetween(written, now);
  const inverse: Splice[] = [];
  let grown = 0;
  for (const done of splices) {
    const start = done.start + grown;
    const end = start + done.text.length;
    grown += done.text.length - (done.end - done.start);
    let shift = 0;
    for (const edit of userEdits) {
      if (edit.end <= start && !(edit.start === edit.end && edit.start === start && start === end)) {
        shift += edit.text.length - (edit.end - edit.start);
      } else if (edit.start < end) return undefined;
    }
    inverse.push({ start: start + shift, end: end + shift, text: before.slice(done.start, done.end) });
  }
  return splice(now, inverse);
}
