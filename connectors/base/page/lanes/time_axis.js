import { clock } from "../format.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
];

function label(time, step) {
  if (step < SECOND) return clock(time, true);
  if (step < MINUTE) return clock(time);
  if (step < DAY) return clock(time).slice(0, 5);
  return new Date(time).toLocaleDateString(undefined, { month: "short", day: "numeric" });
}

/** Round times on a span, at most `most` of them, with labels as precise as their distance. */
export function ticks(span, most) {
  const least = (span.to - span.from) / Math.max(1, most);
  const step = STEPS.find((each) => each >= least) ?? Math.ceil(least / DAY) * DAY;
  // Multiples of the step in local time: six o'clock here is not six o'clock UTC.
  const offset = new Date(span.from).getTimezoneOffset() * MINUTE;
  const first = Math.ceil((span.from - offset) / step) * step + offset;
  const places = [];
  for (let time = first; time <= span.to; time += step) places.push({ time, label: label(time, step) });
  return places;
}
