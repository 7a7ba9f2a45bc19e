import { byId } from "../../connectors/base/page/dom.js";
import { counted, lasted } from "../../connectors/base/page/format.js";
import { createLanes } from "../../connectors/base/page/lanes/lanes.js";
import { passes, sessionName } from "./request/request.js";
import { toLanes } from "./sessions.js";
import { select, setFilter, store, update } from "./store.js";
import { extent, fit, pan, reveal, zoom } from "../../connectors/base/page/lanes/time_span.js";

/** What the last drawing was of. */
let drawn = { lanes: [], whole: { from: 0, to: 1 }, span: { from: 0, to: 1 }, selected: undefined };

const lanes = createLanes(byId("lanes"), {
  noun: "session",
  onMark: (id) => select(Number(id), true),
  onLane: (key) => setFilter({ session: store.filter.session === key ? "" : key }),
  onSpan: (span) => update({ span: fit(span, drawn.whole) }),
  onPan: (by) => update({ span: pan(drawn.span, by, drawn.whole) }),
  onZoom: zoomBy,
});

/** Zooms around a time: the one given, else the selected request if it is in sight, else the middle. */
export function zoomBy(factor, around) {
  const { from, to } = drawn.span;
  const current = drawn.lanes.flatMap(({ marks }) => marks).find(({ id }) => id === store.selected)?.from;
  const inSight = current !== undefined && current >= from && current <= to;
  update({ span: zoom(drawn.span, factor, around ?? (inSight ? current : (from + to) / 2), drawn.whole) });
}

export function showAll() {
  update({ span: undefined });
}

/** Zooms to the chosen session, or to that of the selected request. */
export function showSession() {
  const lane = drawn.lanes.find(({ chosen }) => chosen) ??
    drawn.lanes.find(({ marks }) => marks.some(({ id }) => id === store.selected));
  if (lane !== undefined) {
    update({ span: fit({ ...lane, to: lane.open ? Date.now() : lane.to }, drawn.whole) });
  }
}

/** Shows or hides the requests of other sessions than the selected request's. */
export function toggleSession() {
  const entry = store.entries.find(({ id }) => id === store.selected);
  const session = store.filter.session === "" ? entry && sessionName(entry) : "";
  if (session !== undefined) setFilter({ session });
}

/** The lanes show every session that passes the other filters, so that the user can change to another. */
export function drawTimeline() {
  const { session, ...others } = store.filter;
  const entries = store.entries.filter((entry) => passes(entry, { ...others, session: "" }));
  const sessions = toLanes(entries, { selected: store.selected, session });
  const whole = extent(sessions, Date.now());
  let span = store.span ?? whole;
  if (store.selected !== drawn.selected && store.span !== undefined) {
    const mark = sessions.flatMap(({ marks }) => marks).find(({ current }) => current);
    if (mark !== undefined) store.span = reveal(span, mark.from, whole);
    span = store.span ?? whole;
  }
  drawn = { lanes: sessions, whole, span, selected: store.selected };
  lanes.draw({ lanes: sessions, span });
  byId("lanes-span").textContent = sessions.length === 0
    ? ""
    : `${counted(sessions.length, "session")} · ${lasted(span.to - span.from)}`;
  byId("zoom-all").disabled = store.span === undefined;
  byId("zoom-out").disabled = store.span === undefined;
  byId("zoom-session").disabled = !sessions.some(({ chosen, marks }) =>
    chosen || marks.some(({ current }) => current)
  );
}

byId("zoom-in").addEventListener("click", () => zoomBy(0.5));
byId("zoom-out").addEventListener("click", () => zoomBy(2));
byId("zoom-all").addEventListener("click", showAll);
byId("zoom-session").addEventListener("click", showSession);
