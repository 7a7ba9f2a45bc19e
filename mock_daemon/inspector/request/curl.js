/** Headers that curl sets itself, or that belong to a browser or a replay. */
const LEFT_OUT =
  /^(host|connection|content-length|accept-encoding|accept-language|origin|referer|user-agent|x-signet-mock-replay|sec-.*)$/;

/** Quotes a word for any POSIX shell. */
export function quote(word) {
  return /^[A-Za-z0-9_.,:/@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The body as it is sent: text as it is, anything else as JSON. */
export function bodyText(request) {
  if (request.body === undefined) return undefined;
  return typeof request.body === "string" ? request.body : JSON.stringify(request.body);
}

/** The path and query of a request, as sent. */
export function target(request) {
  const query = String(new URLSearchParams(request.query));
  return query === "" ? request.path : `${request.path}?${query}`;
}

/**
 * A request as a curl command. The record has no keys, so the command reads the key from
 * $SIGNET_API_KEY; it is the only part that the shell expands.
 */
export function toCurl(request, origin) {
  const lines = [`curl -sS -X ${quote(request.method)} ${quote(`${origin}${target(request)}`)}`];
  for (const [name, value] of Object.entries(request.headers)) {
    if (LEFT_OUT.test(name)) continue;
    if (name === "authorization") lines.push('-H "authorization: Bearer $SIGNET_API_KEY"');
    else if (name !== "cookie" && name !== "x-api-key") lines.push(`-H ${quote(`${name}: ${value}`)}`);
  }
  const body = bodyText(request);
  if (body !== undefined) lines.push(`--data-raw ${quote(body)}`);
  return lines.join(" \\\n  ");
}

/** Why the record of a request is not exactly what was sent; undefined if it is. */
export function incomplete(request) {
  if (request.truncated) return "its payload was too long to keep whole";
  const sent = `${target(request)} ${bodyText(request) ?? ""}`;
  return /\[redacted\]|%5Bredacted%5D/.test(sent) ? "a key in it was redacted" : undefined;
}
