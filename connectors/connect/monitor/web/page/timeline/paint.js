import { share } from "../../../../../base/page/lanes/time_span.js";

const COLOURS = [
  "panel",
  "text",
  "muted",
  "line",
  "accent",
  "working",
  "waiting",
  "starting",
  "idle",
  "message",
  "reply",
  "urgent",
  "lost",
  "lock",
];

/** The colours of the page, which differ between light and dark, as a canvas needs them. */
export function readColours(probe) {
  const colours = {};
  for (const name of COLOURS) {
    probe.style.color = `var(--${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  return colours;
}

/** How thick the bar of a status is: an idle session is a line, so that work stands out. */
const THICK = { working: 9, waiting: 9, starting: 5, idle: 1.5 };

/** Draws bars of statuses. Those that end within a pixel of the one before are left out. */
function paintStatuses(context, bars, { span, width }, y, colours) {
  let drawn = -Infinity;
  for (const { from, to, status } of bars) {
    if (to < span.from || from > span.to) continue;
    const left = Math.max(0, share(from, span) * width);
    const right = Math.min(width, share(to, span) * width);
    if (right - drawn < 0.7) continue;
    drawn = right;
    const thick = THICK[status] ?? 2;
    const wide = Math.max(1, right - left);
    context.fillStyle = colours[status] ?? colours.idle;
    if (status === "waiting") hatched(context, left, y - thick / 2, wide, thick, colours.waiting);
    else if (wide > 4 && thick > 4) rounded(context, left, y - thick / 2, wide, thick);
    else context.fillRect(left, y - thick / 2, wide, thick);
  }
}

function rounded(context, x, y, width, height) {
  context.beginPath();
  context.roundRect(x, y, width, height, 2);
  context.fill();
}

/** Waiting differs from working in shape as well as in colour. */
function hatched(context, x, y, width, height, colour) {
  context.save();
  context.beginPath();
  context.roundRect(x, y, width, height, 2);
  context.clip();
  context.globalAlpha = 0.25;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  for (let at = x - height; at < x + width; at += 5) {
    context.moveTo(at, y + height);
    context.lineTo(at + height, y);
  }
  context.stroke();
  context.restore();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, Math.max(0, width - 1), height - 1, 2);
  context.stroke();
}

/** Draws the locks on a file, with the holder's name where there is room for it. */
function paintLocks(context, bars, { span, width, now }, y, colours) {
  for (const { from, to, holder, token } of bars) {
    const end = token === undefined ? to : Math.min(to, now);
    if (end < span.from || from > span.to) continue;
    const left = Math.max(0, share(from, span) * width);
    const wide = Math.max(3, Math.min(width, share(end, span) * width) - left);
    context.fillStyle = colours.lock;
    context.globalAlpha = token === undefined ? 0.14 : 0.28;
    rounded(context, left, y - 7, wide, 14);
    context.globalAlpha = token === undefined ? 0.6 : 1;
    context.fillRect(left, y - 7, 2, 14);
    context.globalAlpha = 1;
    context.font = '10.5px system-ui, -apple-system, "Segoe UI", sans-serif';
    if (context.measureText(holder).width + 12 > wide) continue;
    context.fillStyle = token === undefined ? colours.muted : colours.text;
    context.textBaseline = "middle";
    context.fillText(holder, left + 7, y + 0.5);
  }
}

/** Draws each colour as one path: much faster than one path per arc. */
function paintCurves(context, { curves, points }, colours, { selected, hovered }) {
  for (const [tone, some] of Map.groupBy(curves, (curve) => curve.tone)) {
    context.strokeStyle = colours[tone];
    const [near, far] = [some.filter(({ faint }) => !faint), some.filter(({ faint }) => faint)];
    context.globalAlpha = 0.12;
    context.lineWidth = 1.4;
    strokeCurves(context, far);
    // Where there are many, each of them steps back.
    context.globalAlpha = near.length > 80 ? 0.4 : 0.8;
    strokeCurves(context, near);
    context.globalAlpha = 1;
    paintEnds(context, near, colours[tone], colours.panel);
  }
  for (const [tone, some] of Map.groupBy(points, (point) => point.tone)) {
    context.fillStyle = colours[tone];
    context.beginPath();
    for (const { x, y } of some) context.rect(x - 1.5, y - 1.5, 3, 3);
    context.fill();
  }
  const marked = curves.filter(({ id }) => id === selected || id === hovered);
  context.lineWidth = 2.5;
  for (const curve of marked) {
    context.strokeStyle = curve.id === selected ? colours.text : colours[curve.tone];
    strokeCurves(context, [curve]);
    paintEnds(context, [curve], context.strokeStyle, colours.panel);
  }
}

function strokeCurves(context, curves) {
  context.beginPath();
  for (const { x1, y1, cx, cy, x2, y2 } of curves) {
    context.moveTo(x1, y1);
    context.quadraticCurveTo(cx, cy, x2, y2);
  }
  context.stroke();
}

/** A dot where a message was sent, an arrow head where it was seen, and a ring where it still waits. */
function paintEnds(context, curves, colour, panel) {
  context.fillStyle = colour;
  context.beginPath();
  for (const { x1, y1, cx, cy, x2, y2, seen } of curves) {
    context.moveTo(x1 + 2.5, y1);
    context.arc(x1, y1, 2.5, 0, 7);
    if (!seen) continue;
    const angle = Math.atan2(y2 - cy, x2 - cx);
    const corner = (turn, far) => [x2 - far * Math.cos(angle + turn), y2 - far * Math.sin(angle + turn)];
    context.moveTo(x2, y2);
    context.lineTo(...corner(0.45, 8));
    context.lineTo(...corner(-0.45, 8));
    context.closePath();
  }
  context.fill();
  context.lineWidth = 1.5;
  for (const { x2, y2, seen } of curves) {
    if (seen) continue;
    context.beginPath();
    context.arc(x2, y2, 3, 0, 7);
    context.fillStyle = panel;
    context.fill();
    context.strokeStyle = colour;
    context.stroke();
  }
}

/** Draws what is in sight of a view of the lanes. */
export function paintLanes(context, view, drawing) {
  const { lanes, places, width, height, span } = view;
  const { colours, now } = drawing;
  for (const { key, kind, bars } of lanes) {
    const { y, height: tall } = places.get(key);
    if (y < -tall || y > height + tall) continue;
    if (kind === "file") paintLocks(context, bars, { ...view, now }, y, colours);
    else paintStatuses(context, bars, view, y, colours);
  }
  paintCurves(context, drawing.shown, colours, drawing);
  const x = share(now, span) * width;
  if (x >= 0 && x <= width) {
    context.fillStyle = colours.accent;
    context.globalAlpha = 0.5;
    context.fillRect(x, 0, 1, height);
    context.globalAlpha = 1;
  }
}
