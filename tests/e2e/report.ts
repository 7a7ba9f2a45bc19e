/** One thing that was looked at, and how it went. */
export interface Check {
  readonly title: string;
  readonly problem?: string;
}

/** What became of one harness. */
export interface Result {
  readonly harness: string;
  readonly checks: Check[];
  readonly seconds: number;
  /** Why it was not run at all. */
  readonly notRun?: string;
}

export function countOf(checks: readonly Check[]): { passed: number; failed: number } {
  const failed = checks.filter((check) => check.problem !== undefined).length;
  return { passed: checks.length - failed, failed };
}

/** Whether all is well: nothing failed, and what was not run was allowed to be. */
export function allWell(results: readonly Result[], allowed: ReadonlyMap<string, string>): boolean {
  return results.length > 0 &&
    results.every((result) =>
      result.notRun === undefined
        ? result.checks.length > 0 && countOf(result.checks).failed === 0
        : allowed.has(result.harness)
    );
}

/** The lines at the end: one for each harness, and one for all. */
export function summary(results: readonly Result[], allowed: ReadonlyMap<string, string>): string[] {
  const lines = results.map((result) => {
    if (result.notRun !== undefined) {
      const allowance = allowed.get(result.harness);
      return `${result.harness}: not run: ${result.notRun}${
        allowance === undefined ? "" : ` (allowed: ${allowance})`
      }`;
    }
    const { passed, failed } = countOf(result.checks);
    return `${result.harness}: ${passed} passed, ${failed} failed (${Math.round(result.seconds)} s)`;
  });
  const { passed, failed } = countOf(results.flatMap((result) => result.checks));
  const notRun = results.filter((result) => result.notRun !== undefined).length;
  return [...lines, `total: ${passed} passed, ${failed} failed${notRun === 0 ? "" : `, ${notRun} not run`}`];
}
