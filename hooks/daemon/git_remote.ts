/** `origin`'s URL in a git config, else the first remote's, without credentials. */
export function remoteOf(config: string): string | undefined {
  const remotes = new Map<string, string>();
  let current: string | undefined;
  for (const line of config.split("\n")) {
    const header = sectionHeader(line);
    if (header !== undefined) current = header.remote;
    if (current === undefined || remotes.has(current)) continue;
    const url = urlValue(header === undefined ? line : header.rest);
    if (url !== "") remotes.set(current, url);
  }
  const remote = remotes.get("origin") ?? remotes.values().next().value;
  return remote === undefined || remote.length > MAX_REMOTE ? undefined : withoutCredentials(remote);
}

/** A longer URL identifies nothing, and would be sent with every request. */
const MAX_REMOTE = 2048;

interface SectionHeader {
  /** The remote's name; undefined in another section. */
  readonly remote?: string;
  /** The line after the header. */
  readonly rest: string;
}

/**
 * The header at the start of a line. Scanned by hand: a repository chooses the
 * text, and a regular expression takes a minute for 100,000 spaces.
 */
function sectionHeader(line: string): SectionHeader | undefined {
  const text = line.trimStart();
  if (!text.startsWith("[")) return undefined;
  const quote = text.indexOf('"');
  const bracket = text.indexOf("]");
  if (bracket === -1) return { rest: "" };
  if (quote === -1 || bracket < quote) return { rest: text.slice(bracket + 1) };
  const name = quoted(text, quote);
  if (name === undefined) return { rest: "" };
  const close = text.indexOf("]", name.end);
  const isRemote = text.slice(1, quote).trim().toLowerCase() === "remote";
  return { remote: isRemote ? name.text : undefined, rest: close === -1 ? "" : text.slice(close + 1) };
}

/** The value of a `url = …` line; "" for any other line. */
function urlValue(line: string): string {
  const equals = line.indexOf("=");
  if (equals === -1 || line.slice(0, equals).trim().toLowerCase() !== "url") return "";
  const value = line.slice(equals + 1).trim();
  if (value.startsWith('"')) return quoted(value, 0)?.text ?? "";
  return withoutComment(value);
}

/** The text of a quoted string that starts at `from`, and where it ends. */
function quoted(text: string, from: number): { text: string; end: number } | undefined {
  const parts: string[] = [];
  let start = from + 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "\\") {
      parts.push(text.slice(start, at));
      start = ++at;
    } else if (text[at] === '"') {
      parts.push(text.slice(start, at));
      return { text: parts.join(""), end: at + 1 };
    }
  }
  return undefined;
}

/** A comment starts with `#` or `;` after white space. */
function withoutComment(value: string): string {
  for (let at = 1; at < value.length; at++) {
    const isMark = value[at] === "#" || value[at] === ";";
    if (isMark && value.slice(at - 1, at).trim() === "") return value.slice(0, at).trimEnd();
  }
  return value;
}

/**
 * Removes user, password, query and fragment, which may contain tokens, from
 * every form that git accepts: `https://…`, `//host/…`, `helper::https://…` and
 * `user@host:path`. A user of ssh stays: it is part of the address.
 */
export function withoutCredentials(remote: string): string {
  const start = addressStart(remote);
  const helpers = remote.slice(0, start);
  // The address of these helpers is a command or file descriptors, not a place.
  if (/(?:^|:)(?:ext|fd)::$/i.test(helpers)) return helpers;
  const address = remote.slice(start);
  const slashes = address.indexOf("//");
  const scheme = slashes === -1 ? "" : address.slice(0, slashes);
  if (slashes !== -1 && /^(?:[a-z][a-z0-9+.-]*:)?$/i.test(scheme)) {
    return helpers + urlWithoutCredentials(scheme, address.slice(slashes + 2));
  }
  const isPath = /^(?:[./~]|[A-Za-z]:[\\/])/.test(address);
  return helpers + (isPath ? address : scpWithoutCredentials(address));
}

/** Where the address begins, after the names of remote helpers: `transport::`. */
function addressStart(remote: string): number {
  let start = 0;
  while (true) {
    const end = remote.indexOf("::", start);
    // An IPv6 address contains "::" too.
    if (end === -1 || end - start > 64 || !/^[A-Za-z0-9_+.-]+$/.test(remote.slice(start, end))) return start;
    start = end + 2;
  }
}

function urlWithoutCredentials(scheme: string, address: string): string {
  const host = authority(address);
  const isClean = /^(?:\[[^\]]*\]|[^:@]*)(?::\d*)?$/.test(host);
  // A password may contain a slash or a question mark that should have been encoded.
  const at = isClean ? -1 : host.includes("@") ? host.lastIndexOf("@") : address.lastIndexOf("@");
  const user = address.slice(0, Math.max(0, at)).split(":", 1)[0] ?? "";
  const kept = scheme.toLowerCase().includes("ssh") && user !== "" ? `${user}@` : "";
  return `${scheme}//${kept}${beforeQuery(address.slice(at + 1))}`;
}

/** The part before the path, the query and the fragment. */
function authority(address: string): string {
  const end = address.search(/[/?#]/);
  return end === -1 ? address : address.slice(0, end);
}

/** `user:password@host:path`. */
function scpWithoutCredentials(remote: string): string {
  const host = authority(remote);
  const at = host.lastIndexOf("@");
  const colon = host.indexOf(":");
  const hasPassword = at !== -1 && colon !== -1 && colon < at;
  return beforeQuery(hasPassword ? host.slice(0, colon) + remote.slice(at) : remote);
}

function beforeQuery(text: string): string {
  const end = text.search(/[?#]/);
  return end === -1 ? text : text.slice(0, end);
}
