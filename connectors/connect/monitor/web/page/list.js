import { byId, el, keepChildren, setAttribute } from "../../../../base/page/dom.js";
import { clock } from "../../../../base/page/format.js";
import { createListbox, setActive } from "../../../../base/page/listbox.js";
import { partyKey, partyName } from "./timeline/lanes_model.js";
import { howToBegin } from "./how_to_begin.js";
import { nameOf, select, store, update } from "./store.js";

/** The most rows; the history search finds older messages. */
const ROWS = 300;
const list = byId("list");
const rows = new Map();

const TROUBLE = { failed: "trouble", refused: "trouble", expired: "fault" };
const FINE = ["seen", "answered", "done", "working"];

/** What became of a message, as a pill. */
export function statePill(state) {
  const kind = TROUBLE[state] ?? (FINE.includes(state) ? "ok" : "quiet");
  return el("span", { class: "pill", "data-kind": kind }, state);
}

/** Receivers of a message, in words. */
export function receivers(to) {
  return to.length > 3 ? `${to.length} agents` : to.map(partyName).join(", ");
}

function row({ id, at, from, to, text, kind, priority, state }) {
  const urgent = priority >= 4;
  return el(
    "div",
    { class: "row fresh", role: "option", id: `message-${id}`, "aria-selected": "false" },
    el("span", { class: "time" }, clock(at)),
    el(
      "span",
      { class: "way", "data-kind": urgent ? "urgent" : kind },
      el("b", {}, partyName(from)),
      el("span", { class: "arrow" }, kind === "reply" ? " ↩ " : " → "),
      receivers(to),
    ),
    el(
      "span",
      { class: "gist" },
      urgent && el("b", { class: "urgent" }, priority === 5 ? "stop " : "urgent "),
      text.slice(0, 300),
    ),
    el("span", { class: "outcome" }, statePill(state)),
  );
}

function passes({ from, to, text }) {
  if (store.session !== "" && ![from, ...to].some((party) => partyKey(party) === store.session)) return false;
  if (store.text === "") return true;
  const words = `${from.name} ${to.map(({ name }) => name).join(" ")} ${text}`.toLowerCase();
  return words.includes(store.text.toLowerCase());
}

/** What the last drawing was of: moving along the lanes changes none of it. */
let drawn = [];

export function drawList() {
  const basis = [store.loaded, store.ordered, store.sessions, store.session, store.text, store.selected];
  if (basis.every((part, index) => part === drawn[index])) return;
  drawn = basis;
  const isAll = store.session === "" && store.text === "";
  const shown = [];
  for (let index = store.ordered.length - 1; index >= 0 && shown.length < ROWS; index--) {
    if (passes(store.ordered[index])) shown.push(store.ordered[index]);
  }
  keepChildren(list, rows, shown, {
    key: ({ id }) => id,
    make: row,
    update(element, { id, state }) {
      element.setAttribute(
        "aria-selected",
        String(store.selected?.kind === "message" && store.selected.key === id),
      );
      const pill = element.lastElementChild.firstElementChild;
      if (pill.textContent !== state) pill.replaceWith(statePill(state));
    },
  });
  setActive(list, store.selected?.kind === "message" ? rows.get(store.selected.key) : undefined);
  const isNew = store.loaded && store.sessions.length === 0 && store.ordered.length === 0;
  if (isNew && byId("begin").hidden) byId("begin").replaceChildren(...howToBegin());
  byId("begin").hidden = !isNew;
  byId("list-empty").hidden = shown.length > 0 || !store.loaded || isNew;
  byId("list-empty").textContent = isAll
    ? "No messages yet. Agents write to each other with send and reply, and so can you."
    : "No message passes the filter.";
  byId("filter-session").hidden = store.session === "";
  byId("filter-session-name").textContent = nameOf(store.session);
  setAttribute(byId("filter-text"), "data-set", store.text !== "");
  byId("count-messages").textContent = isAll
    ? String(store.ordered.length)
    : `${shown.length} of ${store.ordered.length}`;
}

createListbox(list, {
  prefix: "message-",
  selected: () => store.selected?.kind === "message" ? store.selected.key : undefined,
  onSelect: (id) => select("message", id),
  onClick: (id) => select("message", id, true),
  onOpen() {
    update({ open: true });
    byId("detail").focus();
  },
});
byId("filter-text").addEventListener("input", () => update({ text: byId("filter-text").value.trim() }));
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("overview-open").addEventListener("click", () => select("overview", "", true));
byId("filter-session").addEventListener("click", () => update({ session: "" }));
