/** Lines `aStart..aEnd` of one text became lines `bStart..bEnd` of another. */
export interface Hunk {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

// Beyond this limit, the rest is one hunk.
const MOST_EDITS = 1500;

/** The shortest edit script between two lists of lines (Myers' algorithm). */
export function diffLines(a: readonly string[], b: readonly string[]): Hunk[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (
    tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]
  ) tail++;
  const left = a.slice(head, a.length - tail);
  const right = b.slice(head, b.length - tail);
  return middle(left, right).map((hunk) => ({
    aStart: hunk.aStart + head,
    aEnd: hunk.aEnd + head,
    bStart: hunk.bStart + head,
    bEnd: hunk.bEnd + head,
  }));
}

function middle(a: readonly string[], b: readonly string[]): Hunk[] {
  if (a.length === 0 && b.length === 0) return [];
  const all = [{ aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length }];
  if (a.length === 0 || b.length === 0) return all;
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const reach = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let d = 0; d <= most; d++) {
    trace.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? reach.get(k + 1) ?? 0 : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return hunks(trace, a.length, b.length);
    }
  }
  return all;
}

function hunks(trace: readonly Map<number, number>[], aLength: number, bLength: number): Hunk[] {
  const out: Hunk[] = [];
  let x = aLength;
  let y = bLength;
  for (let d = trace.length - 1; d > 0; d--) {
    const reach = trace[d] ?? new Map<number, number>();
    const k = x - y;
    const down = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = reach.get(fromK) ?? 0;
    const fromY = fromX - fromK;
    const step = {
      aStart: fromX,
      aEnd: down ? fromX : fromX + 1,
      bStart: fromY,
      bEnd: down ? fromY + 1 : fromY,
    };
    const next = out[0];
    if (next && next.aStart === step.aEnd && next.bStart === step.bEnd) {
      out[0] = { ...next, aStart: step.aStart, bStart: step.bStart };
    } else out.unshift(step);
    x = fromX;
    y = fromY;
  }
  return out;
}

/** Lines with their line breaks, so that joining them gives the text back. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * How many characters two texts have in common at their start and end, in whole lines. `context`
 * lines of them are not counted. A diff of the rest is a diff of the texts.
 */
export function sharedEnds(a: string, b: string, context = 0): { head: number; tail: number } {
  const most = Math.min(a.length, b.length);
  const same = sharedLength(most, (from, to) => a.slice(from, to) === b.slice(from, to));
  let head = a.lastIndexOf("\n", same - 1) + 1;
  if (same === 0) head = 0;
  let tail = sharedLength(
    most - head,
    (from, to) => a.slice(a.length - to, a.length - from) === b.slice(b.length - to, b.length - from),
  );
  const isLineStart = (text: string, at: number) => at === head || text[at - 1] === "\n";
  if (tail > 0 && !(isLineStart(a, a.length - tail) && isLineStart(b, b.length - tail))) {
    const end = a.indexOf("\n", a.length - tail);
    tail = end === -1 ? 0 : a.length - end - 1;
  }
  for (let i = 0; i < context; i++) {
    head = head < 2 ? 0 : a.lastIndexOf("\n", head - 2) + 1;
    const end = tail === 0 ? -1 : a.indexOf("\n", a.length - tail);
    tail = end === -1 ? 0 : a.length - end - 1;
  }
  return { head, tail };
}

const CHUNK = 1 << 16;

/** The largest number of characters up to which a comparison holds: in large steps first, because comparing slices is fast. */
function sharedLength(most: number, isSame: (from: number, to: number) => boolean): number {
  let from = 0;
  while (from < most && isSame(from, Math.min(most, from + CHUNK))) from += CHUNK;
  let [least, limit] = [Math.min(from, most), Math.min(most, from + CHUNK)];
  while (least < limit) {
    const middle = (least + limit + 1) >> 1;
    if (isSame(least, middle)) least = middle;
    else limit = middle - 1;
  }
  return least;
}
