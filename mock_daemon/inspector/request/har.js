import { bodyText, target } from "./curl.js";

const pairs = (object) => Object.entries(object).map(([name, value]) => ({ name, value: String(value) }));
const bytes = (text) => new TextEncoder().encode(text).length;

function entry(request, origin) {
  const sent = bodyText(request);
  const answer = typeof request.answer === "string" ? request.answer : JSON.stringify(request.answer) ?? "";
  const type = typeof request.answer === "string" ? "text/plain" : "application/json";
  return {
    startedDateTime: request.at,
    time: request.ms,
    request: {
      method: request.method,
      url: `${origin}${target(request)}`,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(request.headers),
      queryString: pairs(request.query),
      headersSize: -1,
      bodySize: request.bodyBytes,
      ...(sent === undefined
        ? {}
        : { postData: { mimeType: request.headers["content-type"] ?? "application/json", text: sent } }),
    },
    response: {
      status: request.status,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [],
      content: { size: bytes(answer), mimeType: type, text: answer },
      redirectURL: "",
      headersSize: -1,
      bodySize: bytes(answer),
    },
    cache: {},
    timings: { send: 0, wait: request.ms, receive: 0 },
    // Fields with an underscore are the format's place for what it does not know.
    _id: request.id,
    _event: request.event,
    _harness: request.harness,
    _agent: request.agent,
    _session: request.sessionKey,
    _outcome: request.outcome,
    _warnings: request.warnings,
    _fault: request.fault,
    _replayOf: request.replayOf,
  };
}

/** Requests as an HTTP archive (HAR 1.2), which browsers and proxies can open. */
export function toHar(requests, origin) {
  return {
    log: {
      version: "1.2",
      creator: { name: "Signet mock daemon", version: "1" },
      entries: requests.map((request) => entry(request, origin)),
    },
  };
}

/** Requests as JSON lines, as `--record` writes them. */
export function toJsonLines(requests) {
  return requests.map((request) => `${JSON.stringify(request)}\n`).join("");
}
