import { changed } from "../../connectors/base/page/redraw.js";

/** How many requests the page keeps, about as many as the daemon. */
const MOST = 2000;

/** No filter at all. */
export const NO_FILTER = { agent: "", harness: "", event: "", show: "", session: "", text: "" };

/** The state of the page. */
export const store = {
  /** Oldest first. */
  entries: [],
  total: 0,
  view: "requests",
  /** The id of the request in the details. */
  selected: undefined,
  /** On a phone, the details cover the list. */
  open: false,
  /** The id of the request that the selected one is compared with. */
  base: undefined,
  paused: false,
  filter: { ...NO_FILTER },
  /** The part of time that the lanes show, in milliseconds since 1970; undefined is all of it. */
  span: undefined,
  /** What the daemon says about itself. */
  info: {},
};

/** Changes the state and redraws. */
export function update(changes) {
  Object.assign(store, changes);
  changed();
}

export function add(entries) {
  store.entries.push(...entries);
  store.total += entries.length;
  if (store.entries.length > MOST) store.entries.splice(0, store.entries.length - MOST);
  changed();
}

export function clear() {
  update({ entries: [], total: 0, selected: undefined, open: false, base: undefined, span: undefined });
}

/** Selects a request; with `open`, also shows it where the details cover the list. */
export function select(id, open = false) {
  update({ selected: id, open: id !== undefined && (open || store.open) });
}

export function setFilter(changes) {
  update({ filter: { ...store.filter, ...changes } });
}

/** The values of a field, for its filter, with the one that the address may name. */
export function values(field) {
  const known = store.entries.map((entry) => entry[field]);
  return [...new Set([...known, store.filter[field]])].filter((value) => value !== undefined && value !== "")
    .sort();
}
