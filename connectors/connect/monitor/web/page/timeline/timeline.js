import { byId, el, setAttribute, tint } from "../../../../../base/page/dom.js";
import { clock, counted, lasted } from "../../../../../base/page/format.js";
import { createLanes } from "../../../../../base/page/lanes/lanes.js";
import { extent, fit, pan, zoom } from "../../../../../base/page/lanes/time_span.js";
import { inSpan, messageAt, MOST_ARCS, toCurves } from "./arcs.js";
import { partyName, toLanes } from "./lanes_model.js";
import { receivers } from "../list.js";
import { paintLanes, readColours } from "./paint.js";
import { isSelected, select, store, update } from "../store.js";

const HOUR = 3_600_000;
const WINDOWS = [["15 min", HOUR / 4], ["1 h", HOUR], ["8 h", 8 * HOUR], ["All", Infinity]];
const LEGEND = [["working"], ["waiting", "waits for you"], ["idle"], ["message"], ["reply"], ["urgent"], [
  "lock",
]];

/** What the last drawing was of. */
let drawn = { whole: { from: 0, to: 1 }, span: { from: 0, to: 1 } };
let shown = { curves: [], points: [], count: 0 };
let hovered;

const lanes = createLanes(byId("lanes"), {
  noun: "lane",
  onMark: () => {},
  onLane: chooseLane,
  onSpan: (span) => update({ span: fit(span, drawn.whole) }),
  onPan: (by) => update({ span: pan(drawn.span, by, drawn.whole) ?? drawn.span }),
  onZoom: zoomBy,
  paint,
  onPoint(place) {
    const id = messageAt(shown, place);
    if (id !== undefined) select("message", id, true);
  },
  onHover: hover,
});

/** A file is shown in the details; a session also filters the list. */
function chooseLane(key) {
  if (key.startsWith("file:")) return select("file", key.slice("file:".length), true);
  const isChosen = store.session === key;
  update({ session: isChosen ? "" : key });
  if (isChosen) select(undefined);
  else select("session", key, true);
}

function paint(context, view) {
  shown = toCurves(store.arcs, view, {
    chosen: store.session,
    selected: store.selected?.kind === "message" ? store.selected.key : undefined,
  });
  paintLanes(context, view, {
    colours: readColours(byId("probe")),
    now: drawn.now,
    shown,
    hovered,
    selected: store.selected?.kind === "message" ? store.selected.key : undefined,
  });
  const many = shown.count > MOST_ARCS && store.session === "";
  byId("many").hidden = !many;
}

/** A message under the pointer is shown beside it. */
function hover(place, event) {
  const id = place && messageAt(shown, place);
  const tip = byId("tip");
  byId("lanes").toggleAttribute("data-pointing", id !== undefined);
  const message = store.messages.get(id);
  tip.hidden = message === undefined;
  if (message !== undefined) {
    tip.replaceChildren(
      el("b", {}, `${partyName(message.from)} → ${receivers(message.to)}`),
      el("span", {}, ` ${clock(message.at)}`),
      el("p", {}, message.text.slice(0, 160)),
    );
    const { left, top } = byId("timeline").getBoundingClientRect();
    const x = Math.min(event.clientX - left + 12, innerWidth - 310);
    tip.style.left = `${Math.max(8, x)}px`;
    tip.style.top = `${event.clientY - top + 14}px`;
  }
  if (id === hovered) return;
  hovered = id;
  drawTimeline();
}

export function zoomBy(factor, around) {
  const { from, to } = drawn.span;
  const span = zoom(drawn.span, factor, around ?? (from + to) / 2, drawn.whole);
  // Nothing is left to zoom out to.
  if (span === undefined) showWindow(Infinity);
  else update({ span });
}

/** Follows the newest part of time again. */
export function showWindow(window) {
  update({ window, span: undefined });
}

/** When the first thing happened that the page knows of. */
function earliest(now) {
  let first = Math.min(now, store.ordered[0]?.at ?? now);
  for (const [change] of store.histories.values()) first = Math.min(first, change.at);
  for (const { startedAt } of store.sessions) if (startedAt > 0) first = Math.min(first, startedAt);
  return first;
}

/** The part of time that is shown: a fixed one, or the newest. */
function currentSpan(whole) {
  if (store.span !== undefined) return store.span;
  return { from: Math.max(whole.from, whole.to - store.window), to: whole.to };
}

export function drawTimeline() {
  const now = Date.now();
  // It ends now, whatever a clock that is wrong says.
  const whole = extent([{ from: earliest(now), to: now }], now, 60_000);
  const span = currentSpan(whole);
  // A little room on the right, so that what happens now is not at the edge.
  if (store.span === undefined) span.to += (span.to - span.from) * 0.01;
  const model = toLanes(
    { ...store, arcs: inSpan(store.arcs, span) },
    span,
    now,
  ).map((lane) => ({
    ...lane,
    chosen: lane.key === store.session || isSelected("file", lane.key.slice("file:".length)),
  }));
  drawn = { whole, span, now };
  lanes.draw({ lanes: model, span });
  const live = store.sessions.filter(({ status }) => status !== "gone").length;
  byId("count-agents").textContent = String(live);
  byId("lanes-span").textContent = store.loaded && model.length > 0
    ? `${counted(live, "session")} · ${lasted(span.to - span.from)}`
    : "";
  for (const [button, window] of windowButtons) {
    setAttribute(button, "aria-pressed", String(store.span === undefined && store.window === window));
  }
  byId("zoom-out").disabled = store.span === undefined && store.window === Infinity;
}

const windowButtons = WINDOWS.map(([label, window]) => {
  const button = el("button", { type: "button", title: `Follow the newest: ${label}` }, label);
  button.addEventListener("click", () => showWindow(window));
  byId("zoom").append(button);
  return [button, window];
});
byId("legend").append(
  ...LEGEND.map(([event, label = event]) => tint(el("li", { "data-legend": event }, label), event)),
);
byId("zoom-in").addEventListener("click", () => zoomBy(0.5));
byId("zoom-out").addEventListener("click", () => zoomBy(2));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawTimeline);
