import { DaemonClient } from "../../../hooks/daemon/client.ts";
import type { Settings } from "../../../hooks/daemon/settings.ts";

/** What a real call with these settings comes to, in words for a person. */
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
  switch (reply.kind) {
    case "ok":
      return { kind: "ok", ms: reply.ms };
    case "unreachable":
      return { kind: "unreachable", message: `The daemon at ${url} is not reachable: ${reply.reason}.` };
    case "timeout":
      return {
        kind: "unreachable",
        message: `The daemon at ${url} did not answer within ${timeoutMs / 1000} s.`,
      };
    case "blocked":
      return { kind: "rejected", message: reply.problem };
    case "http":
      break;
    default:
      return { kind: "odd", message: `What answers at ${url} is not a Signet daemon (${reply.kind}).` };
  }
  const said = reply.error ? `: ${reply.error}` : "";
  if (reply.status === 401 && settings.apiKey === undefined) {
    return {
      kind: "rejected",
      message: `The daemon at ${url} asks for a key, and there is none (401${said}).`,
    };
  }
  if (reply.status === 401) {
    return { kind: "rejected", message: `The daemon at ${url} does not accept the key (401${said}).` };
  }
  if (reply.status === 403) {
    return {
      kind: "rejected",
      message: `The daemon at ${url} does not let this key act for agent ${agentId} (403${said}).`,
    };
  }
  if (reply.status >= 500 || reply.status === 429) {
    return { kind: "unreachable", message: `The daemon at ${url} answers ${reply.status}${said}.` };
  }
  return { kind: "odd", message: `What answers at ${url} is not a Signet daemon (${reply.status}${said}).` };
}
