/** The real daemon calls sessions that look like tests noise, and drops their summaries. */
export function isNoise(session: { project?: string; sessionKey?: string; harness?: string }): boolean {
  if (session.project !== undefined) return /^(\/private)?\/tmp(\/|$)/.test(session.project);
  return /^(test|spec|fixture|synthetic|tmp)-/.test(session.sessionKey ?? "") || session.harness === "test";
}
