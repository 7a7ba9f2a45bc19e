import { DaemonClient } from "../../../hooks/daemon/client.ts";
import type { Settings } from "../../../hooks/daemon/settings.ts";
import { isObject } from "../../../hooks/json.ts";
import { Spool } from "../../../hooks/spool/spool.ts";
import type { Call } from "./calls.ts";

/**
 * The calls in the order of a session. Doctor bypasses its session after the start,
 * and the end takes the session, and so the bypass, away.
 */
export function inSessionOrder(calls: readonly Call[]): Call[] {
  const rank = ({ event }: Call) => event === "session-start" ? 0 : event === "session-end" ? 2 : 1;
  return calls.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Asks the daemon to ignore what comes from this session, so that doctor leaves no
 * memory, transcript or checkpoint behind. The `x-signet-no-hooks` header would not
 * do: 0.58 and 0.145 store a compaction and its summary in spite of it.
 */
export async function bypassSession(settings: Settings, session: string): Promise<boolean> {
  const agent = encodeURIComponent(settings.agentId);
  const path = `/api/sessions/${encodeURIComponent(session)}/bypass?agent_id=${agent}`;
  const reply = await DaemonClient.from(settings).request<unknown>("POST", path, { enabled: true }, {
    timeoutMs: 5_000,
  });
  return reply.kind === "ok" && isObject(reply.body) && reply.body.bypassed === true;
}

/** Removes what the session's hooks have spooled and could not deliver: later it would be stored. */
export function dropSpooled(stateDir: string | undefined, session: string): void {
  if (stateDir === undefined) return;
  const spool = new Spool(stateDir);
  for (const item of spool.list()) {
    const entry = spool.read(item);
    if (typeof entry === "object" && entry.sessionKey === session) spool.remove(item);
  }
}
