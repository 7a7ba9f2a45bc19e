import { checkUrl, isLoopback, keyAllowed } from "../../../hooks/daemon/settings.ts";

/** The daemon's port, if an address names none. */
const PORT = 3850;

/**
 * The URLs that an address may mean, best first: people type `signet-home` or
 * `localhost:3850`. Other machines are tried over https only, because a key follows.
 */
export function daemonUrls(address: string): string[] {
  const text = address.trim();
  if (text.includes("://")) return [text];
  const loopback = "localhost" === text || isLoopback(text.replace(/:\d+$/, ""));
  const scheme = loopback ? "http" : "https";
  if (/:\d+$/.test(text)) return [`${scheme}://${text}`];
  return loopback ? [`${scheme}://${text}:${PORT}`] : [`${scheme}://${text}:${PORT}`, `${scheme}://${text}`];
}

/** What is wrong with an address, as a sentence; undefined if it can be tried. */
export function addressProblem(address: string, insecureHttp: boolean): string | undefined {
  const [first = ""] = daemonUrls(address);
  const checked = checkUrl(first);
  if ("problem" in checked) return checked.problem;
  if (keyAllowed(checked.url, insecureHttp)) return undefined;
  return `${checked.url} is plain http to another machine: use https, or start setup with --insecure-http.`;
}
