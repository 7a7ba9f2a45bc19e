/** How many requests the page keeps, about as many as the daemon. */
const MOST = 2000;

/** The state of the page. */
export const store = {
  /** Oldest first. */
  entries: [],
  selected: undefined,
  paused: false,
  filter: { agent: "", harness: "", event: "", text: "", warned: false },
  total: 0,
};

const listeners = new Set();

export function onChange(listener) {
  listeners.add(listener);
}

let scheduled = false;

/** Schedules a redraw, at most one per frame. */
export function changed() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    for (const listener of listeners) listener();
  });
}

export function add(entries) {
  store.entries.push(...entries);
  store.total += entries.length;
  if (store.entries.length > MOST) store.entries.splice(0, store.entries.length - MOST);
  changed();
}

export function clear() {
  store.entries = [];
  store.selected = undefined;
  store.total = 0;
  changed();
}

export function select(id) {
  store.selected = id;
  changed();
}

function containsText(entry, text) {
  return [
    entry.path,
    entry.event,
    entry.harness,
    entry.agent,
    entry.sessionKey,
    entry.gist,
    entry.outcome,
    ...entry.warnings,
  ]
    .some((value) => value?.toLowerCase().includes(text));
}

/** The entries that pass the filters. */
export function visible() {
  const { agent, harness, event, text, warned } = store.filter;
  const wanted = text.trim().toLowerCase();
  return store.entries.filter((entry) =>
    (agent === "" || entry.agent === agent) &&
    (harness === "" || entry.harness === harness) &&
    (event === "" || (entry.event ?? "other") === event) &&
    (!warned || entry.warnings.length > 0) &&
    (wanted === "" || containsText(entry, wanted))
  );
}

/** The distinct values of a field, for its filter. */
export function values(field) {
  return [...new Set(store.entries.map((entry) => entry[field]).filter((value) => value !== undefined))]
    .sort();
}
