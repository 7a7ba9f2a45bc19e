import { deliver } from "./deliver.ts";
import type { Outcome, Run } from "../run.ts";
import { sessionTranscript } from "./session_transcript.ts";

/** Records the end of a session even if the daemon is down. */
export async function onSessionEnd(run: Run): Promise<Outcome> {
  const { event, notes } = run;
  const note = notes.read(event.sessionKey);
  // Gemini fires SessionEnd twice on /quit.
  if (note.ended) return { outcome: "ended before" };
  const transcript = await sessionTranscript(run, note.inject);
  if (event.sessionKey === undefined && transcript === undefined) return { outcome: "no input" };
  // `claude mcp list` ends a session that never started, and names a transcript that does not exist.
  const started = Object.keys(note).length > 0;
  if (!started && transcript === undefined && event.transcriptPath !== undefined) {
    return { outcome: "unknown session" };
  }
  const outcome = await deliver(run, "session-end", {
    sessionKey: event.sessionKey,
    // This route reads the project from `cwd`.
    cwd: event.cwd || undefined,
    reason: event.reason,
    transcript,
    capturedAt: new Date().toISOString(),
    requestContext: run.context(),
  });
  if (outcome.outcome === "spooled" || outcome.outcome === "sent") {
    notes.write(event.sessionKey, { ...note, ended: true, pending: undefined });
  }
  return outcome;
}
