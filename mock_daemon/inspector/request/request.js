/** The display name of a request: the event of a hook, the path of any other call. */
export function called(entry) {
  if (entry.event !== undefined) return entry.event;
  const path = entry.path.replace(/^\/api\//, "");
  return entry.method === "POST" ? path : `${entry.method} ${path}`;
}

/** Identifies a session, in words that also suit an address: harness, agent and session key. */
export function sessionName(entry) {
  if (entry.sessionKey === undefined) return undefined;
  return `${entry.harness ?? "?"} ${entry.agent} ${entry.sessionKey}`;
}

/** Whether the client did not get what it wanted. */
export function failed(entry) {
  return entry.status >= 400 || (entry.fault !== undefined && entry.fault !== "delay");
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
    entry.error,
    ...entry.warnings,
  ]
    .some((value) => value?.toLowerCase().includes(text));
}

const SHOWN = {
  failed,
  warned: (entry) => entry.warnings.length > 0,
  replayed: (entry) => entry.replayOf !== undefined,
};

/** Whether an entry passes the filter. */
export function passes(entry, { agent, harness, event, show, session, text }) {
  const wanted = text.trim().toLowerCase();
  return (agent === "" || entry.agent === agent) &&
    (harness === "" || entry.harness === harness) &&
    (event === "" || (entry.event ?? "other") === event) &&
    (SHOWN[show]?.(entry) ?? true) &&
    (session === "" || sessionName(entry) === session) &&
    (wanted === "" || containsText(entry, wanted));
}
