import { deliver } from "./deliver.ts";
import { DrainLock } from "../spool/drain_lock.ts";
import { removeKept } from "../transcript/kept.ts";
import { isDirectory } from "../state/paths.ts";
import type { Outcome, Run } from "../run.ts";
import { sessionTranscript } from "./session_transcript.ts";

/** Another hook or a sweep needs a few ms for an end; a lost one is worse than a second one. */
const LOCK_MS = 500;

/** Records the end of a session even if the daemon is down. */
export async function onSessionEnd(run: Run): Promise<Outcome> {
  const { event, notes, dir } = run;
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
  const waitMs = Math.min(LOCK_MS, run.deadline.left() / 2);
  // Without a directory nobody can hold the lock.
  const lock = dir !== undefined && isDirectory(dir)
    ? await DrainLock.wait(dir, "ends.lock", waitMs)
    : undefined;
  try {
    return await end(run, transcript);
  } finally {
    lock?.release();
  }
}

async function end(run: Run, transcript: string | undefined): Promise<Outcome> {
  const { event, notes, dir } = run;
  // A sweep may have been faster.
  const note = notes.read(event.sessionKey);
  if (note.ended) return { outcome: "ended before" };
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
    notes.write(event.sessionKey, { ...note, ended: true, endFile: outcome.spoolFile, pending: undefined });
    if (event.sessionKey !== undefined) run.live?.end({ ...run.settings, key: event.sessionKey });
    if (dir !== undefined) removeKept(dir, event.transcriptPath);
  }
  return outcome;
}
