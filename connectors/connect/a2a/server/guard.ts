import { isLoopbackHost } from "../../../base/page/local_request.ts";

/** How the gateway may be addressed. */
export interface Addresses {
  readonly scheme: "http" | "https";
  /** Names, without a port, that clients may use besides loopback. */
  readonly hosts: readonly string[];
}

/**
 * Why a request is refused before anybody looks at its token. Checking `Host` stops
 * DNS rebinding, and checking `Origin` stops the pages of other sites.
 */
export function foreignRequest(request: Request, { scheme, hosts }: Addresses): string | undefined {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  if (!isLoopbackHost(host) && !hosts.includes(name)) return "this gateway does not have that name";
  const origin = request.headers.get("origin");
  return origin === null || origin === `${scheme}://${host}`
    ? undefined
    : "requests from other sites are refused";
}
