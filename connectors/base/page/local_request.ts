/** Reports whether a peer address is loopback. No address means a call without a socket, from a test. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return true;
  return address === "::1" || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
}

/** Reports whether a host name, from the command line or a `Host` header, is loopback. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return name === "localhost" || isLoopback(name);
}

/**
 * Reports whether a web page of another site made the request. Checking `Host` stops
 * DNS rebinding, and checking `Origin` stops cross-site requests.
 */
export function isForeignPage({ headers, url }: Pick<Request, "headers" | "url">): boolean {
  const host = headers.get("host") ?? new URL(url).host;
  const origin = headers.get("origin");
  return !isLoopbackHost(host) || (origin !== null && origin !== `http://${host}`);
}
