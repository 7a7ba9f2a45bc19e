import type { SpoolEntry } from "../../../hooks/spool/spool.ts";

/** A session-end as it is stored in the spool. */
export function entry(sessionKey: string, more: Partial<SpoolEntry> = {}): SpoolEntry {
  return {
    id: crypto.randomUUID(),
    kind: "session-end",
    path: "/api/hooks/session-end",
    url: "http://127.0.0.1:3850",
    harness: "sample",
    agentId: "default",
    runtimePath: "legacy",
    sessionKey,
    body: { harness: "sample", sessionKey },
    ...more,
  };
}
