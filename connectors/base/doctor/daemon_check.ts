import { DaemonClient } from "../../../hooks/daemon/client.ts";
import { describe } from "../../../hooks/daemon/describe.ts";
import type { Settings } from "../../../hooks/daemon/settings.ts";

/** The result of a real call with these settings. */
export type DaemonCheck =
  | { readonly kind: "ok"; readonly ms: number }
  | { readonly kind: "unreachable"; readonly message: string }
  | { readonly kind: "rejected"; readonly message: string }
  | { readonly kind: "odd"; readonly message: string };

/**
 * Asks for one memory. `whoami` would not do: a real daemon was seen to call a
 * valid key unauthenticated there, and a protected call tells the truth.
 */
export async function checkDaemon(settings: Settings, timeoutMs = 5_000): Promise<DaemonCheck> {
  const { url, agentId } = settings;
  const client = DaemonClient.from(settings);
  const reply = await client.request("POST", "/api/memory/recall", { query: "signet", limit: 1, agentId }, {
    timeoutMs,
  });
  if (reply.kind === "ok") return { kind: "ok", ms: reply.ms };
  const { kind, message } = describe(reply, url);
  switch (kind) {
    case "offline":
    case "timeout":
    case "rate-limited":
    case "server error":
      return { kind: "unreachable", message };
    case "blocked":
    case "unauthorized":
      return { kind: "rejected", message };
    case "forbidden":
      return { kind: "rejected", message: `${message} The agent id is ${agentId}.` };
    default:
      return { kind: "odd", message };
  }
}
