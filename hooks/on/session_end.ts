import { deliver } from "./deliver.ts";
import type { Outcome, Run } from "../run.ts";

/** Records the end of a session even if the daemon is down. */
export async function onSessionEnd(run: Run): Promise<Outcome> {
  const { event, notes, profile } = run;
  const note = notes.read(event.sessionKey);
  // Gemini fires SessionEnd twice on /quit.
  if (note.ended) return { outcome: "ended before" };
  const { transcript, transcriptPath } = event;
  // `claude mcp list` ends a session that never started, and names a transcript that does not exist.
  const started = Object.keys(note).length > 0;
  if (event.sessionKey === undefined && transcript === undefined && transcriptPath === undefined) {
    return { outcome: "no input" };
  }
  const outcome = await deliver(run, "session-end", {
    sessionKey: event.sessionKey,
    // This route reads the project from `cwd`.
    cwd: event.cwd || undefined,
    reason: event.reason,
    capturedAt: new Date().toISOString(),
    requestContext: await run.contextWithoutGit(),
  }, {
    cwd: event.cwd,
    needsConversation: event.sessionKey === undefined || (!started && transcriptPath !== undefined),
    conversation: {
      transcript,
      transcriptPath,
      format: profile.transcript,
      injectedTags: profile.injectedTags,
      injected: note.inject,
    },
  });
  if (outcome === undefined) {
    return { outcome: event.sessionKey === undefined ? "no input" : "unknown session" };
  }
  if (outcome.outcome === "spooled" || outcome.outcome === "sent") {
    notes.write(event.sessionKey, { ...note, ended: true, pending: undefined });
  }
  return outcome;
}
