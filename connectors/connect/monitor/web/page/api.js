/** Where this tab keeps the token, so that a reload has it. Another tab or page cannot read it. */
const KEPT = "signet-monitor-token";

/** Takes the token out of the address, where it would be copied along with a link. */
function readToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given === null) return sessionStorage.getItem(KEPT) ?? "";
  sessionStorage.setItem(KEPT, given);
  history.replaceState(history.state, "", `${location.pathname}${location.search}`);
  return given;
}

const token = readToken();

/** The address of the stream of events: the browser sends no header with it. */
export function eventsUrl() {
  return `/api/events?${new URLSearchParams({ token })}`;
}

/**
 * Asks the server, with JSON if there is a body. Resolves to `{ status, body }`; a server that cannot be
 * reached has the status 0, and a body with an `error` too.
 */
export async function ask(path, body) {
  try {
    const response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return { status: 0, body: { error: "The monitor does not answer. Is it still running?" } };
  }
}
