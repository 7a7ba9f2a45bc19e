import { byId, called, clock, el, tint } from "./dom.js";
import { changed, select, store, visible } from "./store.js";

/** The maximum number of rows; use a filter to find older requests. */
const ROWS = 400;

const list = byId("list");
/** Rows by request id, reused so that a busy list is not rebuilt for each event. */
let rows = new Map();

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

function row(entry) {
  const warned = entry.warnings.length > 0;
  const made = el(
    "div",
    { class: "row fresh", role: "option", id: `request-${entry.id}`, "aria-selected": "false" },
    el("span", { class: "time" }, clock(entry.at)),
    el("span", { class: "event", title: entry.path }, called(entry)),
    el("span", {}, entry.harness ?? "–"),
    el("span", { title: entry.agent }, entry.agent),
    el("span", { class: "session", title: entry.sessionKey }, entry.sessionKey ?? "–"),
    el("span", { class: "gist" }, entry.gist ?? ""),
    el(
      "span",
      {},
      pill(entry),
      warned && el("span", { class: "bang", title: entry.warnings.join("\n") }, "!"),
    ),
    el("span", { class: "ms" }, entry.ms < 10 ? entry.ms.toFixed(1) : String(Math.round(entry.ms))),
  );
  if (warned) made.setAttribute("aria-description", entry.warnings.join("; "));
  return tint(made, entry.event);
}

export function drawList() {
  const shown = visible().slice(-ROWS).reverse();
  const next = new Map();
  for (const entry of shown) next.set(entry.id, rows.get(entry.id) ?? row(entry));
  for (const [id, old] of rows) if (!next.has(id)) old.remove();
  let before = list.firstChild;
  for (const one of next.values()) {
    if (one === before) before = before.nextSibling;
    else list.insertBefore(one, before);
  }
  rows = next;
  for (const [id, one] of rows) one.setAttribute("aria-selected", String(id === store.selected));
  const active = rows.get(store.selected);
  if (active === undefined) list.removeAttribute("aria-activedescendant");
  else list.setAttribute("aria-activedescendant", active.id);
  byId("list-empty").hidden = shown.length > 0;
  byId("count-requests").textContent = String(store.total);
}

/** Moves the selection by a number of rows and scrolls it into view. */
export function step(by) {
  const ids = [...rows.keys()];
  if (ids.length === 0) return;
  const at = ids.indexOf(store.selected);
  const next = at === -1 ? 0 : Math.min(ids.length - 1, Math.max(0, at + by));
  select(ids[next]);
  rows.get(ids[next])?.scrollIntoView({ block: "nearest" });
}

list.addEventListener("click", (event) => {
  const id = event.target instanceof Element ? event.target.closest("[role=option]")?.id : undefined;
  if (id !== undefined) select(Number(id.slice("request-".length)));
});

const STEPS = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
};

list.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" && store.selected !== undefined) {
    byId("detail").focus();
    return event.preventDefault();
  }
  const by = STEPS[event.key];
  if (by === undefined) return;
  event.preventDefault();
  step(by);
});

list.addEventListener("focus", () => {
  if (store.selected === undefined) step(0);
  changed();
});
