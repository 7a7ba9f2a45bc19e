import { lasted } from "../../../../../base/page/format.js";
import { activity, baseName, statusBars } from "../sessions.js";

/** What the page calls a party to a message. */
export function partyName({ name }) {
  return name === "a person" ? "you" : name;
}

/** The key of the lane of a party to a message. People at command lines share one. */
export function partyKey({ key, name }) {
  return name === "a person" ? "person" : key ?? name;
}

const overlaps = ({ from, to }, span) => to >= span.from && from <= span.to;

function sessionLane(session, bars, now) {
  const { key, handle, project, status, since, agentId } = session;
  const doing = activity(session);
  const time = since === undefined ? "" : lasted(Math.max(0, now - since));
  return {
    key,
    kind: "session",
    status: status ?? "elsewhere",
    names: [handle, baseName(project), [doing, time].filter((part) => part !== "").join(" · ")],
    title: [handle, `agent ${agentId}`, project, doing, time && `for ${time}`].filter((part) => part).join(
      "\n",
    ),
    from: Math.min(bars[0]?.from ?? now, session.startedAt || session.seenAt || now),
    to: bars.at(-1)?.to ?? session.seenAt,
    bars,
  };
}

/** A session that is only known from the log, or from a message. */
function formerLane(key, name, bars, at) {
  return {
    key,
    kind: key === "person" ? "person" : "session",
    status: "gone",
    names: [key === "person" ? "You" : name, "", bars.length > 0 ? "ended" : ""],
    title: key === "person" ? "Messages of people at a command line" : name,
    from: bars[0]?.from ?? at,
    to: bars.at(-1)?.to ?? at,
    bars,
  };
}

function fileLane(path, bars) {
  const held = bars.find(({ token }) => token !== undefined);
  const folder = path.slice(0, path.length - baseName(path).length).replace(/[\\/]+$/, "");
  return {
    key: `file:${path}`,
    kind: "file",
    status: held === undefined ? "free" : "locked",
    names: [baseName(path), held === undefined ? "" : held.holder, baseName(folder)],
    title: [path, held === undefined ? "not locked any more" : `locked by ${held.holder}`].join("\n"),
    from: bars[0].from,
    to: Math.max(...bars.map(({ to }) => to)),
    bars,
  };
}

/**
 * The lanes of a part of time: people, live sessions, sessions that did something in it, then files that
 * were locked in it. `arcs` are the messages of that part.
 */
export function toLanes({ sessions, histories, bars, arcs }, span, now) {
  const lanes = [];
  const known = new Set(["person"]);
  if (arcs.some(({ from, to }) => from === "person" || to === "person")) {
    lanes.push(formerLane("person", "", [], now));
  }
  for (const session of sessions) {
    const shown = statusBars(histories.get(session.key) ?? [], session, now);
    const lane = sessionLane(session, shown, now);
    known.add(session.key);
    if (session.status !== "gone" || shown.some((bar) => overlaps(bar, span))) lanes.push(lane);
  }
  for (const [key, changes] of histories) {
    if (known.has(key)) continue;
    const shown = statusBars(changes, undefined, now);
    if (!shown.some((bar) => overlaps(bar, span))) continue;
    known.add(key);
    lanes.push(formerLane(key, changes[0].name, shown, changes[0].at));
  }
  const add = (key, name, at) => {
    if (known.has(key)) return;
    known.add(key);
    lanes.push(formerLane(key, name, [], at));
  };
  for (const { from, to, fromName, toName, at } of arcs) {
    add(from, fromName, at);
    add(to, toName, at);
  }
  return [...lanes, ...fileLanes(bars, span)];
}

function fileLanes(bars, span) {
  const files = new Map();
  for (const bar of bars) {
    if (bar.token === undefined && !overlaps(bar, span)) continue;
    files.set(bar.path, [...files.get(bar.path) ?? [], bar]);
  }
  const lanes = [...files].map(([path, some]) => fileLane(path, some));
  // Those that are locked now come first.
  return lanes.sort((a, b) =>
    Number(b.status === "locked") - Number(a.status === "locked") || (a.key < b.key ? -1 : 1)
  );
}
