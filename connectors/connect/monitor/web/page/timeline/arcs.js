import { share } from "../../../../../base/page/lanes/time_span.js";
import { partyKey } from "./lanes_model.js";

/** A message waits no longer than this before it leaves the picture with its beginning. */
const LONGEST_MS = 3_600_000;
/** With more of them, arcs cover each other: only those of the chosen lane are drawn. */
export const MOST_ARCS = 300;

function toneOf({ kind, priority, state }) {
  if (state === "failed" || state === "refused" || state === "expired") return "lost";
  if (priority >= 4) return "urgent";
  return kind === "reply" ? "reply" : "message";
}

/** Messages as arcs from lane to lane, one per receiver, in order of time. Drawing needs nothing else of them. */
export function toArcs(messages) {
  return messages.flatMap((message) =>
    message.to.map((party) => ({
      id: message.id,
      from: partyKey(message.from),
      to: partyKey(party),
      fromName: message.from.name,
      toName: party.name,
      at: message.at,
      seenAt: message.seenAt,
      tone: toneOf(message),
    }))
  ).filter(({ from, to }) => from !== to);
}

/** The index of the first item at or after a time. */
export function firstFrom(items, time) {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle].at < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The items whose time is in a span; they must be in order of time. */
export function inSpan(items, span) {
  return items.slice(firstFrom(items, span.from), firstFrom(items, span.to + 1));
}

/**
 * The arcs that a view shows, as curves in pixels, and how many there are. An arc begins when the message
 * was sent and ends when it was seen. Where there are too many, only those of the lane `chosen` and the
 * message `selected` are curves, and the others are points.
 *
 *   curve: { id, tone, faint, x1, y1, x2, y2, cx, cy, seen }
 */
export function toCurves(arcs, { span, width, height, places }, { chosen, selected }) {
  const x = (time) => share(time, span) * width;
  const end = firstFrom(arcs, span.to + 1);
  const shown = [];
  for (let index = firstFrom(arcs, span.from - LONGEST_MS); index < end; index++) {
    const arc = arcs[index];
    if (arc.at < span.from && !(arc.seenAt >= span.from)) continue;
    if (places.has(arc.from) && places.has(arc.to)) shown.push(arc);
  }
  const isMany = shown.length > MOST_ARCS;
  const curves = [];
  const points = [];
  // Where not all of them fit, the newest do.
  for (const arc of shown.reverse()) {
    const isChosen = arc.from === chosen || arc.to === chosen || arc.id === selected;
    const x1 = x(arc.at);
    const y1 = places.get(arc.from).y;
    const y2 = places.get(arc.to).y;
    if (isMany && !(isChosen && curves.length < MOST_ARCS)) {
      if (y1 < 0 || y1 > height) continue;
      points.push({ id: arc.id, tone: arc.tone, x: x1, y: y1 });
      continue;
    }
    const x2 = arc.seenAt === undefined ? x1 : Math.min(x(arc.seenAt), width + 40);
    // The bend tells arcs between the same lanes apart from the lines of the grid.
    const bend = Math.min(26, 8 + Math.abs(y2 - y1) * 0.12);
    const [cx, cy] = [(x1 + x2) / 2 + (x2 - x1 < bend ? bend : 0), (y1 + y2) / 2];
    // Those of other lanes step back while one is chosen.
    const faint = chosen !== "" && !isChosen;
    curves.push({
      id: arc.id,
      tone: arc.tone,
      faint,
      x1,
      y1,
      x2,
      y2,
      cx,
      cy,
      seen: arc.seenAt !== undefined,
    });
  }
  return { curves, points, count: shown.length };
}

const NEAR = 6;

/** The message at a place on the canvas: the nearest curve or point within a few pixels. */
export function messageAt({ curves, points }, { x, y }) {
  let best;
  let least = NEAR;
  const consider = (id, distance) => {
    if (distance > least) return;
    least = distance;
    best = id;
  };
  for (const curve of curves) {
    const [left, right] = [Math.min(curve.x1, curve.x2), Math.max(curve.x1, curve.x2, curve.cx)];
    if (x < left - NEAR || x > right + NEAR) continue;
    for (let step = 0; step <= 24; step++) {
      const [px, py] = pointOn(curve, step / 24);
      consider(curve.id, Math.hypot(px - x, py - y));
    }
  }
  for (const point of points) consider(point.id, Math.hypot(point.x - x, point.y - y));
  return best;
}

/** A point of a quadratic curve, from 0 at its beginning to 1 at its end. */
function pointOn({ x1, y1, cx, cy, x2, y2 }, t) {
  const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
  return [a * x1 + b * cx + c * x2, a * y1 + b * cy + c * y2];
}
