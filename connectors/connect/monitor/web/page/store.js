import { changed } from "../../../../base/page/redraw.js";
import { toArcs } from "./timeline/arcs.js";
import { byKey } from "./sessions.js";

/** About as many as the server keeps. */
const MOST = 10_000;

/** The state of the page. */
export const store = {
  sessions: [],
  locks: [],
  bars: [],
  problems: [],
  /** By id. */
  messages: new Map(),
  /** In order of time. */
  ordered: [],
  arcs: [],
  histories: new Map(),
  statuses: [],
  /** Whether the first update has arrived. */
  loaded: false,
  /** What the server allows. */
  allowed: { send: false, force: false },
  binary: "signet-connect",
  view: "agents",
  /** The key of the session whose messages are listed; "" for all. */
  session: "",
  text: "",
  /** What the details are about: { kind: "session" | "message" | "file", key }. */
  selected: undefined,
  /** On a phone, the details cover the list. */
  open: false,
  /** A part of time that does not move; undefined is the newest `window` ms. */
  span: undefined,
  window: 3_600_000,
};

/** Changes the state and redraws. */
export function update(changes) {
  Object.assign(store, changes);
  changed();
}

/** Takes up what the server sends. */
export function apply({ reset, sessions, locks, bars, problems, messages = [], statuses = [] }) {
  if (reset) {
    store.messages = new Map();
    store.statuses = [];
  }
  if (reset || messages.length > 0) {
    for (const message of messages) store.messages.set(message.id, message);
    store.ordered = [...store.messages.values()].sort((a, b) => a.at - b.at).slice(-MOST);
    if (store.messages.size > MOST) store.messages = new Map(store.ordered.map((each) => [each.id, each]));
    store.arcs = toArcs(store.ordered);
  }
  if (reset || statuses.length > 0) {
    store.statuses = [...store.statuses, ...statuses].slice(-MOST);
    store.histories = byKey(store.statuses);
  }
  update({
    loaded: true,
    sessions: sessions ?? store.sessions,
    locks: locks ?? store.locks,
    bars: bars ?? store.bars,
    problems: problems ?? store.problems,
  });
}

/** Selects something; with `open`, also shows it where the details cover the list. */
export function select(kind, key, open = false) {
  update({ selected: kind && { kind, key }, open: kind !== undefined && (open || store.open) });
}

export function isSelected(kind, key) {
  return store.selected?.kind === kind && store.selected.key === key;
}

/** The name of a session: its handle, or what its messages call it. */
export function nameOf(key) {
  const session = store.sessions.find((each) => each.key === key);
  return session?.handle ?? store.histories.get(key)?.[0]?.name ?? key;
}
