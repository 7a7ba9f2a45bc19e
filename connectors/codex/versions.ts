import { compareVersions } from "../base/versions/compare.ts";
import type { Harness, Site } from "../base/harness.ts";

/** The first version that was seen to send SessionEnd, and to hash `additionalContextLimit`; 0.140 does neither. */
export const SESSION_END_SINCE = "0.150.1";
/** The first version that was seen to need trusted hooks, and to know PreCompact; 0.128 does neither. */
export const TRUST_SINCE = "0.140.0";

/** The versions of Codex that were tried, and what older ones lack. */
export const VERSIONS: Harness["versions"] = {
  tried: ["0.128.0", "0.140.0", "0.150.1", "0.166.0"],
  date: "2026-11-17",
  older: [
    {
      below: SESSION_END_SINCE,
      limits: {
        "session-end": { partly: "Codex sends no session end: the conversation is saved after each turn" },
      },
    },
    {
      below: TRUST_SINCE,
      limits: { "pre-compaction": { no: "Codex has no such event" } },
    },
  ],
};

/** Codex 0.140 does not know `additionalContextLimit`, and calls a hash that includes it modified. */
export function limitsContext({ version }: Site): boolean {
  return version === undefined || compareVersions(version, SESSION_END_SINCE) >= 0;
}

/** Whether this version of Codex runs only trusted hooks. */
export function needsTrust({ version }: Site): boolean {
  return version === undefined || compareVersions(version, TRUST_SINCE) >= 0;
}
