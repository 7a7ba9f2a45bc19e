import { deliver } from "./deliver.ts";
import type { Outcome, Run } from "../run.ts";

/** Sends the summary that a compaction left behind. */
export async function onCompactionComplete(run: Run): Promise<Outcome> {
  const { event } = run;
  // Codex has no summary, and the daemon rejects the event without one.
  if (!event.summary?.trim()) return { outcome: "no summary" };
  const outcome = await deliver(run, "compaction-complete", {
    sessionKey: event.sessionKey,
    project: event.cwd || undefined,
    summary: event.summary,
    requestContext: await run.contextWithoutGit(),
  }, { cwd: event.cwd });
  return outcome ?? { outcome: "no input" };
}
