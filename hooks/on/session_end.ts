import { deliver } from "./deliver.ts";
import { DrainLock } from "../spool/drain_lock.ts";
import { removeKept } from "../transcript/kept.ts";
import { isDirectory } from "../state/paths.ts";
import type { Outcome, Run } from "../run.ts";

/** Another hook or a sweep needs a few ms for an end; a lost one is worse than a second one. */
const LOCK_MS = 500;

/** Records the end of a session even if the daemon is down. */
export async function onSessionEnd(run: Run): Promise<Outcome> {
  const { event, dir } = run;
  if (
    event.sessionKey === undefined && event.transcript === undefined && event.transcriptPath === undefined
  ) return { outcome: "no input" };
  const waitMs = Math.min(LOCK_MS, run.deadline.left() / 2);
  // Without a directory nobody can hold the lock.
  const lock = dir !== undefined && isDirectory(dir)
    ? await DrainLock.wait(dir, "ends.lock", waitMs)
    : undefined;
  try {
    return await end(run);
  } finally {
    lock?.release();
  }
}

async function end(run: Run): Promise<Outcome> {
  const { event, notes, profile, dir } = run;
  const { sessionKey, transcript, transcriptPath } = event;
  const note = notes.read(sessionKey);
  // Gemini fires SessionEnd twice on /quit, and a sweep may have been faster.
  if (note.ended) return { outcome: "ended before" };
  // `claude mcp list` ends a session that never started, and names a transcript that does not exist.
  const started = Object.keys(note).length > 0;
  const outcome = await deliver(run, "session-end", {
    sessionKey,
    // This route reads the project from `cwd`.
    cwd: event.cwd || undefined,
    reason: event.reason,
    capturedAt: new Date().toISOString(),
    requestContext: await run.contextWithoutGit(),
  }, {
    cwd: event.cwd,
    needsConversation: sessionKey === undefined || (!started && transcriptPath !== undefined),
    conversation: {
      transcript,
      transcriptPath,
      format: profile.transcript,
      isOpen: profile.transcript === "copilot" && transcript === undefined,
      injectedTags: profile.injectedTags,
      injected: note.inject,
    },
  });
  if (outcome === undefined) {
    return { outcome: sessionKey === undefined ? "no input" : "unknown session" };
  }
  if (outcome.outcome === "spooled" || outcome.outcome === "sent") {
    notes.write(sessionKey, { ...note, ended: true, endFile: outcome.spoolFile, pending: undefined });
    if (sessionKey !== undefined) run.live?.end({ ...run.settings, key: sessionKey });
    // Without a name in the spool, a drain has yet to read the conversation.
    const isRead = outcome.outcome === "sent" || outcome.spoolFile !== undefined;
    if (dir !== undefined && isRead) removeKept(dir, transcriptPath);
  }
  return outcome;
}
