/** The shortest span, in milliseconds: hooks are recorded to the millisecond. */
const SHORTEST = 20;

/** Where a time is on a span, as a share of its width. Nothing is moved: a place is a time. */
export function share(time, span) {
  return (time - span.from) / (span.to - span.from);
}

/** The span of all lanes up to now, at least `least` long, so that a single event has an axis. */
export function extent(lanes, now, least = 10_000) {
  let from = now;
  let to = now;
  for (const lane of lanes) {
    from = Math.min(from, lane.from);
    to = Math.max(to, lane.to);
  }
  return { from: Math.min(from, to - least), to };
}

/** Keeps a span inside `whole`: moved if it is short enough, else all of it, which is `undefined`. */
export function within(span, whole) {
  const length = Math.max(SHORTEST, span.to - span.from);
  if (length >= whole.to - whole.from) return undefined;
  const from = Math.min(Math.max(span.from, whole.from), whole.to - length);
  return { from, to: from + length };
}

/** A span `factor` times as long, in which the time `around` keeps its place. */
export function zoom(span, factor, around, whole) {
  const length = Math.max(SHORTEST, (span.to - span.from) * factor);
  const from = around - share(around, span) * length;
  return within({ from, to: from + length }, whole);
}

/** A span moved by a share of its length. */
export function pan(span, by, whole) {
  const step = (span.to - span.from) * by;
  return within({ from: span.from + step, to: span.to + step }, whole);
}

/** The span, moved as little as needed to show a time. */
export function reveal(span, time, whole) {
  const margin = (span.to - span.from) * 0.1;
  if (time >= span.from && time <= span.to) return span;
  const step = time < span.from ? time - margin - span.from : time + margin - span.to;
  return within({ from: span.from + step, to: span.to + step }, whole);
}

/** A span with a margin on both sides, for looking at one lane. */
export function fit({ from, to }, whole) {
  const margin = Math.max(SHORTEST / 2, (to - from) * 0.05);
  return within({ from: from - margin, to: to + margin }, whole);
}
