import type { DaemonClient } from "../../../hooks/daemon/client.ts";
import { isMissingRoute } from "../../../hooks/daemon/describe.ts";
import { isLoopback } from "../../../hooks/daemon/origin.ts";

/**
 * Whether the daemon wants a key from this machine; undefined if it does not tell.
 * Never judges a key: 0.145 calls a valid one unauthenticated here.
 */
export async function keyNeeded(client: DaemonClient, timeoutMs = 3_000): Promise<boolean | undefined> {
  for (const path of ["/api/auth/methods", "/api/auth/whoami"]) {
    const reply = await client.request<{ mode?: unknown }>("GET", path, undefined, { timeoutMs });
    if (reply.kind === "ok") {
      switch (reply.body.mode) {
        case "local":
          return false;
        case "team":
          return true;
        case "hybrid":
          return !isLoopback(new URL(client.url).hostname);
        default:
          return undefined;
      }
    }
    // 0.58 has only the second route, and in team mode it wants a token even there.
    if (reply.kind === "http" && reply.status === 401) return true;
    if (!isMissingRoute(reply)) return undefined;
  }
  return undefined;
}
