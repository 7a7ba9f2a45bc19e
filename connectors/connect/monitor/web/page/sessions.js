/**
 * What a session did over time, as bars of one status each, oldest first. `changes` are its changes of
 * status; `session` is what the board has of it, and undefined for one that has ended.
 *
 *   bar: { from, to, status }
 */
export function statusBars(changes, session, now) {
  const bars = [];
  for (const { at, status } of changes) {
    const last = bars.at(-1);
    if (last !== undefined) last.to = Math.max(last.from, at);
    if (status !== "ended" && last?.status === status && last.to === at) continue;
    bars.push({ from: at, to: at, status });
  }
  const live = session !== undefined && session.status !== "gone";
  const last = bars.at(-1);
  if (live && session.status !== undefined && last?.status !== session.status) {
    // The log was cut, or is about to get the line.
    const from = Math.max(session.since, last?.from ?? 0);
    if (last !== undefined) last.to = Math.max(last.from, Math.min(from, now));
    bars.push({ from: Math.min(from, now), to: now, status: session.status });
  } else if (last !== undefined && last.status !== "ended") {
    // A session that is gone did something until its last hook.
    last.to = Math.max(last.from, live ? now : session?.seenAt ?? last.from);
  }
  return bars.filter(({ status }) => status !== "ended");
}

/** The changes of status of each session, by its key, oldest first. */
export function byKey(statuses) {
  const histories = new Map();
  for (const change of statuses) {
    const known = histories.get(change.key);
    if (known === undefined) histories.set(change.key, [change]);
    else known.push(change);
  }
  for (const changes of histories.values()) changes.sort((a, b) => a.at - b.at);
  return histories;
}

/** The last part of a path. */
export function baseName(path) {
  return path.replace(/[\\/]+$/, "").split(/[\\/]/).at(-1) ?? path;
}

const WORDS = {
  starting: "started",
  working: "working",
  idle: "idle",
  waiting: "waits for you",
  gone: "gone",
};

/** What a session does, in a few words: "Edit store.ts", "waits for you". */
export function activity({ status, tool, file, waitsFor, here }) {
  if (status === "working" && tool !== undefined) {
    return file === undefined ? tool : `${tool} ${baseName(file)}`;
  }
  if (waitsFor?.kind === "answer") return `waits for ${waitsFor.from}`;
  if (status === undefined) return here ? "" : "on another machine";
  return WORDS[status] ?? status;
}
