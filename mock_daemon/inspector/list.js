import { byId, el, keepChildren, tint } from "../../connectors/base/page/dom.js";
import { clock } from "../../connectors/base/page/format.js";
import { createListbox, setActive } from "../../connectors/base/page/listbox.js";
import { changed } from "../../connectors/base/page/redraw.js";
import { called, failed, passes, sessionName } from "./request/request.js";
import { select, setFilter, store, update } from "./store.js";

/** The maximum number of rows; use a filter to find older requests. */
const ROWS = 400;

const list = byId("list");
const rows = new Map();

/** The style of a pill: ok, trouble, fault or quiet. */
export function kind(entry) {
  if (entry.fault !== undefined) return "fault";
  if (entry.status >= 400) return "trouble";
  return entry.outcome === "ok" ? "ok" : "quiet";
}

export function pill(entry) {
  const label = entry.status >= 400 ? `${entry.status} ${entry.outcome}` : entry.outcome;
  return el("span", { class: "pill", "data-kind": kind(entry) }, label);
}

// In columns, the parts of these groups are cells of their own; see cards.css.
function when(entry) {
  return [
    el("span", { class: "time", title: clock(entry.at, true) }, clock(entry.at)),
    el("span", { class: "ms" }, entry.ms < 10 ? entry.ms.toFixed(1) : String(Math.round(entry.ms))),
  ];
}

function who(entry) {
  const session = sessionName(entry);
  const title = session && `Show only session ${entry.sessionKey}`;
  return [
    el("span", { class: "harness" }, entry.harness ?? "–"),
    el("span", { class: "agent", title: entry.agent }, entry.agent),
    el("span", { class: "session", "data-session": session, title }, entry.sessionKey ?? "–"),
  ];
}

function row(entry) {
  const warned = entry.warnings.length > 0;
  const replayed = entry.replayOf !== undefined;
  const made = el(
    "div",
    { class: "row fresh", role: "option", id: `request-${entry.id}`, "aria-selected": "false" },
    el("span", { class: "when" }, ...when(entry)),
    el(
      "span",
      { class: "event", title: entry.path },
      called(entry),
      replayed && el("span", { class: "again", title: `Replay of request ${entry.replayOf}` }, " ↻ replay"),
    ),
    el("span", { class: "who" }, ...who(entry)),
    failed(entry) && entry.error !== undefined
      ? el("span", { class: "gist why", title: entry.error }, entry.error)
      : el("span", { class: "gist", title: entry.gist }, entry.gist ?? ""),
    el(
      "span",
      { class: "outcome" },
      pill(entry),
      warned && el("span", { class: "bang", title: entry.warnings.join("\n") }, "!"),
    ),
  );
  if (warned) made.setAttribute("aria-description", entry.warnings.join("; "));
  return tint(made, entry.event);
}

export function drawList() {
  const matching = store.entries.filter((entry) => passes(entry, store.filter));
  const shown = matching.slice(-ROWS).reverse();
  keepChildren(list, rows, shown, {
    key: ({ id }) => id,
    make: row,
    update(element, { id }) {
      element.setAttribute("aria-selected", String(id === store.selected));
      element.toggleAttribute("data-base", id === store.base);
    },
  });
  setActive(list, rows.get(store.selected));
  byId("list-empty").hidden = shown.length > 0;
  byId("list-empty").textContent = store.entries.length === 0
    ? "No requests yet. Point a connector at this URL; its hooks appear here as they run."
    : "No request passes the filters.";
  byId("count-requests").textContent = matching.length === store.entries.length
    ? String(store.total)
    : `${matching.length} of ${store.total}`;
}

createListbox(list, {
  prefix: "request-",
  selected: () => store.selected === undefined ? undefined : String(store.selected),
  onSelect: (id) => select(Number(id)),
  onClick(id, event) {
    const session = event.target.getAttribute("data-session");
    if (session !== null) return setFilter({ session: store.filter.session === session ? "" : session });
    if (event.shiftKey && store.selected !== undefined) update({ base: store.base ?? store.selected });
    select(Number(id), true);
  },
  onOpen() {
    update({ open: true });
    byId("detail").focus();
  },
  onFocus(step) {
    if (store.selected === undefined && list.matches(":focus-visible")) step(0);
    changed();
  },
});
