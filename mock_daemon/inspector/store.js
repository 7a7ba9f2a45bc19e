/** How many requests the page holds; the daemon holds about as many. */
const MOST = 2000;

/** What the page knows, and what the person chose to see of it. */
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

let asked = false;

/** Redraws once per frame, however much arrived. */
export function changed() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
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

function says(entry, text) {
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
    (wanted === "" || says(entry, wanted))
  );
}

/** Every value that a filter can take. */
export function values(field) {
  return [...new Set(store.entries.map((entry) => entry[field]).filter((value) => value !== undefined))]
    .sort();
}
