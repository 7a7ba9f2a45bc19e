/** Identifies a session. */
function laneKey(entry) {
  if (entry.sessionKey === undefined) return undefined;
  return JSON.stringify([entry.harness ?? "", entry.agent, entry.sessionKey]);
}

/**
 * Places the events of sessions on one time axis: newest session first, at
 * most `most` of them, each event at a share of the width.
 */
export function layOut(entries, now, most = 40) {
  const lanes = new Map();
  for (const entry of entries) {
    const key = laneKey(entry);
    if (key === undefined || entry.event === undefined) continue;
    const lane = lanes.get(key) ??
      {
        key,
        harness: entry.harness ?? "?",
        agent: entry.agent,
        session: entry.sessionKey,
        events: [],
        open: true,
      };
    lane.events.push(entry);
    if (entry.event === "session-end") lane.open = false;
    if (entry.event === "session-start") lane.open = true;
    lanes.set(key, lane);
  }
  const shown = [...lanes.values()].sort((a, b) => last(b) - last(a)).slice(0, most);
  const first = Math.min(now, ...shown.map((lane) => at(lane.events[0])));
  const end = Math.max(now, ...shown.map(last));
  // At least ten seconds, so that a single event has an axis.
  const from = Math.min(first, end - 10_000);
  const share = (time) => (time - from) / (end - from);
  return {
    from,
    to: end,
    lanes: shown.map((lane) => ({
      ...lane,
      start: share(at(lane.events[0])),
      end: lane.open ? 1 : share(last(lane)),
      events: spread(lane.events.map((entry) => share(at(entry)))).map((x, index) => ({
        entry: lane.events[index],
        x,
      })),
    })),
  };
}

/**
 * Moves overlapping positions apart so that each can be clicked, keeping their
 * order and staying on the axis.
 */
export function spread(places, gap = 0.011) {
  const least = Math.min(gap, 1 / Math.max(1, places.length - 1));
  const moved = [];
  for (const place of places) moved.push(Math.max(place, (moved.at(-1) ?? -1) + least));
  let limit = 1;
  for (let index = moved.length - 1; index >= 0 && moved[index] > limit; index--) {
    moved[index] = limit;
    limit -= least;
  }
  return moved;
}

function at(entry) {
  return Date.parse(entry.at);
}

function last(lane) {
  return at(lane.events[lane.events.length - 1]);
}
