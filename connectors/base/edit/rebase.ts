import { diffLines, splitLines } from "./diff.ts";
import { type Splice, splice } from "./splice.ts";

/** The splices that turn one text into another, as few and as small as lines allow. */
export function splicesBetween(from: string, to: string): Splice[] {
  const a = splitLines(from);
  const b = splitLines(to);
  const aAt = offsets(a);
  const bAt = offsets(b);
  return diffLines(a, b).flatMap((hunk) => {
    const start = aAt[hunk.aStart] ?? from.length;
    const end = aAt[hunk.aEnd] ?? from.length;
    return tightened(from, start, end, to.slice(bAt[hunk.bStart] ?? to.length, bAt[hunk.bEnd] ?? to.length));
  });
}

function offsets(lines: readonly string[]): number[] {
  const out = [0];
  for (const line of lines) out.push((out.at(-1) ?? 0) + line.length);
  return out;
}

function tightened(from: string, start: number, end: number, text: string): Splice[] {
  let head = 0;
  while (start + head < end && head < text.length && from[start + head] === text[head]) head++;
  // All on one line, and something new before and after it: a line is not the smallest thing then.
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
 * Undoes what we did to a text that the user edited since: `ours` led from
 * `before` to what we wrote, and `now` is that with the user's edits. Undefined
 * where theirs touch ours; then the entries are taken out by their marks.
 */
export function undoSplices(before: string, ours: readonly Splice[], now: string): string | undefined {
  const written = splice(before, ours);
  const theirs = splicesBetween(written, now);
  const inverse: Splice[] = [];
  let grown = 0;
  for (const own of ours) {
    const start = own.start + grown;
    const end = start + own.text.length;
    grown += own.text.length - (own.end - own.start);
    let shift = 0;
    for (const edit of theirs) {
      if (edit.end <= start && !(edit.start === edit.end && edit.start === start && start === end)) {
        shift += edit.text.length - (edit.end - edit.start);
      } else if (edit.start < end) return undefined;
    }
    inverse.push({ start: start + shift, end: end + shift, text: before.slice(own.start, own.end) });
  }
  return splice(now, inverse);
}
