/** The default daemon. */
export const DEFAULT_URL = "http://127.0.0.1:3850";

/**
 * The origin of a daemon URL, or what is wrong with it. Signet's command line
 * accepts only an origin; userinfo would put a key into logs.
 */
export function checkUrl(text: string): { url: string } | { problem: string } {
  const problem = (what: string) => ({ problem: `The daemon URL ${shown(text)} ${what}.` });
  // The URL parser drops tabs and newlines silently: "http://a\n.b" would be another host.
  // deno-lint-ignore no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u0020\u007f]/.test(text)) return problem("has a space or control character in it; remove it");
  let parsed: URL;
  try {
    parsed = new URL(text);
  } catch {
    return problem(`is not a URL; write it like ${DEFAULT_URL}`);
  }
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") {
    return problem(`is neither http nor https; write it like ${DEFAULT_URL}`);
  }
  if (text.includes("@")) return problem("has a user or password in it; give the key with --api-key");
  if (text.includes("?") || text.includes("#") || parsed.pathname !== "/") {
    return problem("has more than an origin; remove everything after the host and port");
  }
  return { url: parsed.origin };
}

function shown(text: string): string {
  return JSON.stringify(text.replace(/\/\/[^/@]*@/, "//…@"));
}

/** Whether a parsed host (`URL.hostname`) is this machine: 127.0.0.0/8, [::1] or localhost. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname === "::1" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

/** Whether this origin is another machine that is called over plain HTTP: others can read what is sent. */
export function isPlainRemote(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol !== "https:" && !isLoopback(hostname);
}

/** Whether a key may be sent to this origin: over TLS, or plain HTTP on this machine. */
export function keyAllowed(url: string, insecureHttp: boolean): boolean {
  return insecureHttp || !isPlainRemote(url);
}

/** Checks an agent id. It becomes a path (`agents/<id>/`), so `..` and empty parts are not allowed. */
export function checkAgentId(text: string): { agentId: string } | { problem: string } {
  const valid = text.length <= 128 && /^[A-Za-z0-9._\-/]+$/.test(text) &&
    text.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  if (valid) return { agentId: text };
  return {
    problem: `The agent id ${JSON.stringify(text)} is not usable; ` +
      `take letters, digits and ._-/ with no empty part and no "..", like nicholai/pi.`,
  };
}
