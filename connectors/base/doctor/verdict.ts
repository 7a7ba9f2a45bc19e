import type { State } from "../install/install_state.ts";
import type { Diagnosis } from "./diagnosis.ts";

/** The state of one harness, as `health`, `status` and `doctor` report it. */
export interface Verdict {
  readonly status: "healthy" | "degraded" | "needs_setup";
  /** It was installed, but its hooks cannot run. */
  readonly broken: boolean;
  readonly checks: {
    readonly installed: boolean;
    readonly daemon: boolean;
    readonly key: boolean;
    readonly spool: boolean;
    /** Everything else: the entries, the harness's trust, the hooks that doctor ran. */
    readonly hooks: boolean;
  };
  readonly nextSteps: string[];
}

/** Findings that have a check of their own. */
const SPOOL = new Set(["spool", "rejected-events", "dropped-events"]);
const OTHER_CHECKS = new Set(["daemon", "key", "settings", ...SPOOL]);

/** Judges a harness. No command has another opinion: each shows this one. */
export function verdict(
  state: Pick<State, "connected" | "daemon">,
  installed: boolean,
  findings: readonly Diagnosis[],
  install: string,
): Verdict {
  const { connected, daemon } = state;
  const failed = findings.filter(({ ok }) => !ok);
  const status = !connected ? "needs_setup" : failed.length === 0 ? "healthy" : "degraded";
  // The daemon of a harness that is not connected is only a default, so it is not a problem.
  const relevant = connected || installed
    ? failed.filter(({ id }) => id !== "connected")
    : failed.filter(({ id }) => id === "config");
  return {
    status,
    broken: installed && !connected,
    checks: {
      installed: connected,
      daemon: daemon.kind === "ok" || daemon.kind === "rejected",
      key: daemon.kind === "ok",
      spool: failed.every(({ id }) => !SPOOL.has(id)),
      hooks: connected && failed.every(({ id }) => OTHER_CHECKS.has(id)),
    },
    nextSteps: [...connected ? [] : [install], ...relevant.map(nextStep)],
  };
}

function nextStep({ message, fix }: Diagnosis): string {
  return fix === undefined ? message : `${message.replace(/\.$/, "")}: ${fix}`;
}

/** Whether a harness was never connected, which is nobody's problem. */
export function isUnconnected({ status, broken }: Verdict): boolean {
  return status === "needs_setup" && !broken;
}

/** The verdicts that decide an exit code: a harness that was never connected counts only if it was named. */
export function worst(
  verdicts: readonly Verdict[],
  named: boolean,
): "healthy" | "degraded" | "broken" {
  const counted = verdicts.filter((each) => named || !isUnconnected(each));
  if (counted.some(({ broken }) => broken)) return "broken";
  return counted.length > 0 && counted.every(({ status }) => status === "healthy") ? "healthy" : "degraded";
}
