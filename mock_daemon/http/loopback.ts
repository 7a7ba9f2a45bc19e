/** Whether a peer address is this machine; no address means a call without a socket, from a test. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return true;
  return address === "::1" || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
}

/** Whether a host that a person typed, or a `Host` header names, is this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return name === "localhost" || isLoopback(name);
}
