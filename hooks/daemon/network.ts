import { isLoopback } from "./origin.ts";

const LOOPBACK = ["localhost", "127.0.0.0/8", "::1", "[::1]"];

/** The variables to set before the first request to a host, given those that are set. */
export function networkEnv(
  url: string,
  env: (name: string) => string | undefined,
): Record<string, string> {
  const { hostname, protocol } = new URL(url);
  const set: Record<string, string> = {};
  if (isLoopback(hostname)) {
    // Deno sends even 127.0.0.1 through HTTP_PROXY, key included, unless
    // NO_PROXY names it. The user's entries stay: a drain started from here
    // may have to reach another daemon.
    const proxied = ["http_proxy", "https_proxy", "all_proxy"]
      .some((name) => env(name) || env(name.toUpperCase()));
    if (proxied) {
      const existing = env("NO_PROXY") || env("no_proxy");
      const value = [existing, ...LOOPBACK, hostname].filter(Boolean).join(",");
      set.NO_PROXY = value;
      set.no_proxy = value;
    }
  }
  if (protocol === "https:" && !env("DENO_TLS_CA_STORE")) {
    // A compiled program trusts Mozilla's list only; companies and tailnets sign
    // with a private CA, which is in the system's store.
    set.DENO_TLS_CA_STORE = "system,mozilla";
  }
  return set;
}

/** Applies networkEnv to this process. Deno reads these variables at its first fetch. */
export function prepareNetwork(url: string): void {
  try {
    for (const [name, value] of Object.entries(networkEnv(url, (name) => Deno.env.get(name)))) {
      Deno.env.set(name, value);
    }
  } catch {
    // Without permission for the environment (as a library) the host program's settings apply.
  }
}
