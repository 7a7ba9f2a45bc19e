import { clock, lasted } from "../../connectors/base/page/format.js";
import { failed, sessionName } from "./request/request.js";

/** How many lanes there are at most; use a filter to find older sessions. */
const MOST = 40;

const start = (entry) => Date.parse(entry.at);

/** The sessions in these requests as lanes: the one with the latest event first. */
export function toLanes(entries, { selected, session } = {}) {
  const lanes = new Map();
  for (const entry of entries) {
    const key = sessionName(entry);
    if (key === undefined || entry.event === undefined) continue;
    const lane = lanes.get(key) ?? {
      key,
      names: [entry.harness ?? "?", entry.agent, entry.sessionKey],
      title: `Show only this session: ${[entry.harness ?? "?", entry.agent, entry.sessionKey].join(" · ")}`,
      from: start(entry),
      to: start(entry),
      open: true,
      chosen: key === session,
      marks: [],
    };
    lane.marks.push(toMark(entry, selected));
    lane.from = Math.min(lane.from, start(entry));
    lane.to = Math.max(lane.to, start(entry) + entry.ms);
    if (entry.event === "session-end") lane.open = false;
    if (entry.event === "session-start") lane.open = true;
    lanes.set(key, lane);
  }
  for (const lane of lanes.values()) lane.marks.sort((a, b) => a.from - b.from || a.id - b.id);
  return [...lanes.values()].sort((a, b) => b.to - a.to).slice(0, MOST);
}

function toMark(entry, selected) {
  const again = entry.replayOf === undefined ? "" : `, replay of ${entry.replayOf}`;
  const result = entry.status >= 400 ? `${entry.status} ${entry.outcome}` : entry.outcome;
  return {
    id: entry.id,
    from: start(entry),
    to: start(entry) + entry.ms,
    event: entry.event,
    label: `${entry.event}, ${clock(entry.at, true)}, ${lasted(entry.ms)}, ${result}${again}`,
    trouble: failed(entry),
    hollow: entry.replayOf !== undefined,
    current: entry.id === selected,
  };
}
