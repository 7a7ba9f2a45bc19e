/** How a daemon tracks sessions. */
export interface SessionRules {
  /** What a repeated session-start must share with the first to get the stub instead of the full text. */
  readonly stubPer: "session key" | "agent, harness, project and session key";
  /** Whether any session-end makes the next start full; otherwise only one with `reason: "clear"` does. */
  readonly fullAfterEnd: boolean;
  /** Whether a compaction, or a start with `source: "clear"`, makes the next start full. */
  readonly fullAfterCompaction: boolean;
  /** Whether hooks other than session-start claim a session; a conflict is then skipped with 200, else 409. */
  readonly everyHookClaims: boolean;
  /** Whether a second session-end is recognised. */
  readonly endsOnce: boolean;
  /** Whether the summaries of sessions that look like tests are dropped. */
  readonly dropsNoise: boolean;
  /** Whether GET /api/sessions lists the sessions of every agent. */
  readonly listsEveryAgent: boolean;
  /** Whether it also lists sessions that nobody claimed. */
  readonly listsUnclaimed: boolean;
  /** Whether a start shows prompts of the last session in the same project, whoever's they were. */
  readonly recoversByProject: boolean;
}

export const SESSIONS_DESIGN: SessionRules = {
  stubPer: "agent, harness, project and session key",
  fullAfterEnd: false,
  fullAfterCompaction: true,
  everyHookClaims: true,
  endsOnce: true,
  dropsNoise: true,
  listsEveryAgent: false,
  listsUnclaimed: false,
  recoversByProject: false,
};

export const SESSIONS_0_145: SessionRules = {
  ...SESSIONS_DESIGN,
  listsUnclaimed: true,
  recoversByProject: true,
};

export const SESSIONS_0_58: SessionRules = {
  stubPer: "session key",
  fullAfterEnd: true,
  fullAfterCompaction: false,
  everyHookClaims: false,
  endsOnce: false,
  dropsNoise: false,
  listsEveryAgent: true,
  listsUnclaimed: false,
  recoversByProject: true,
};
