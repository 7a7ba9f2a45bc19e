import { isLoopback } from "./origin.ts";

const LOOPBACK = ["localhost", "127.0.0.0/8", "::1", "[::1]"];

/** The variables with which files of certificates are added. */
const CERTIFICATES = ["SSL_CERT_FILE", "SSL_CERT_DIR", "DENO_CERT"];

/**
 * The variables to set before the first request to a host, given those that are
 * set. One that is undefined is to be deleted.
 */
export function networkEnv(
  url: string,
  env: (name: string) => string | undefined,
): Record<string, string | undefined> {
  const { hostname, protocol } = new URL(url);
  const set: Record<string, string | undefined> = {};
  for (const name of CERTIFICATES) {
    // A hook runs in the project's directory, so the project would choose whom to trust.
    if (env(name) && !isAbsolute(env(name) ?? "")) set[name] = undefined;
  }
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

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** Applies networkEnv to this process. Deno reads these variables at its first fetch. */
export function prepareNetwork(url: string): void {
  try {
    for (const [name, value] of Object.entries(networkEnv(url, (name) => Deno.env.get(name)))) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  } catch {
    // Without permission for the environment (as a library) the host program's settings apply.
  }
}

let http1Client: Deno.HttpClient | undefined;

/**
 * The client of requests to a daemon; undefined for Deno's own. Over HTTP/2, Deno sends
 * a request in small packets, of which the system holds back each until the one before
 * is acknowledged: behind nginx, 40 ms for every hook. HTTP/1.1 needs one packet.
 */
export function httpClient(url: string): Deno.HttpClient | undefined {
  if (!url.startsWith("https:")) return undefined;
  return http1Client ??= Deno.createHttpClient({ http2: false });
}
