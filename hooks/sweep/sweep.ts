import { keyFor } from "../daemon/agent_keys.ts";
import { DaemonClient } from "../daemon/client.ts";
import { requestContext } from "../daemon/context.ts";
import type { Settings } from "../daemon/settings.ts";
import { HOOK_PATHS } from "../daemon/wire.ts";
import type { HookProfile } from "../profile.ts";
import { DrainLock } from "../spool/drain_lock.ts";
import { Spool } from "../spool/spool.ts";
import { isGone } from "../state/caller.ts";
import { fileTime, LiveSessions, type SeenSession } from "../state/live_sessions.ts";
import { SessionNotes } from "../state/session_notes.ts";
import { removeKept } from "../transcript/kept.ts";
import { readTranscript } from "../transcript/transcript.ts";
import { SweepState } from "./sweep_state.ts";

/** A session that is silent this long gets a checkpoint. */
export const CHECKPOINT_AFTER_MS = 30 * 60 * 1000;
/** A session that is silent this long is over, even if its window is still open. */
export const END_AFTER_MS = 24 * 3600 * 1000;
/** Newer daemons know this reason as the end of a session, not of a turn. */
const REASON = "stale-session-sweep";

/** Nobody waits for a sweep, but it must end. */
const MAX_SESSIONS = 100;
const MAX_MS = 60_000;
const REQUEST_MS = 20_000;

export interface SweepOptions {
  now?: () => number;
  maxMs?: number;
}

export interface SweepReport {
  ended: number;
  checkpoints: number;
}

/**
 * Finds sessions without an end: the window was closed, the program was killed,
 * or the power failed. Ends those whose program is gone or that are silent for a
 * day, from the transcript on disk, and checkpoints those that are silent for
 * half an hour. One process at a time. It may be killed at any moment: an end is
 * in the spool before the session is forgotten, and both are checked again.
 */
export async function sweep(
  profile: HookProfile,
  settings: Settings,
  dir: string,
  options: SweepOptions = {},
): Promise<SweepReport> {
  const report: SweepReport = { ended: 0, checkpoints: 0 };
  const lock = DrainLock.take(dir, "sweep.lock");
  if (lock === undefined) return report;
  try {
    await sweepAll(
      new Sweep(profile, settings, dir, options.now ?? Date.now),
      report,
      options.maxMs ?? MAX_MS,
    );
  } finally {
    lock.release();
  }
  return report;
}

async function sweepAll(sweep: Sweep, report: SweepReport, maxMs: number): Promise<void> {
  const { state, live, now } = sweep;
  const end = performance.now() + maxMs;
  const sessions = live.list();
  state.begin(sessions.map(({ file }) => file));
  let answers = true;
  for (const session of sessions.slice(0, MAX_SESSIONS)) {
    if (performance.now() >= end) return;
    const seenAt = Math.max(session.hookAt, fileTime(session.transcriptPath ?? "") ?? 0);
    const silentMs = now() - seenAt;
    if (silentMs >= END_AFTER_MS || (session.caller !== undefined && isGone(session.caller))) {
      if (await sweep.end(session)) report.ended++;
    } else if (answers && silentMs >= CHECKPOINT_AFTER_MS && !state.hasCheckpoint(session.file, seenAt)) {
      const result = await sweep.checkpoint(session);
      answers = result !== "offline";
      if (result === "later" || result === "offline") continue;
      state.addCheckpoint(session.file, seenAt);
      if (result === "sent") report.checkpoints++;
    }
  }
}

class Sweep {
  readonly state: SweepState;
  readonly live: LiveSessions;

  constructor(
    readonly profile: HookProfile,
    readonly settings: Settings,
    readonly dir: string,
    readonly now: () => number,
  ) {
    this.state = new SweepState(dir, now);
    this.live = new LiveSessions(dir, now);
  }

  /** Spools the end of a session; false if a hook of the session was faster. */
  async end(session: SeenSession): Promise<boolean> {
    const { dir, live, now } = this;
    const notes = this.#notes(session);
    const entry = await this.#entry(session);
    const lock = await DrainLock.wait(dir, "ends.lock", 1_000);
    if (lock === undefined) return false;
    try {
      if (!live.isUnchanged(session)) return false;
      const spool = new Spool(dir, now);
      // A hook or a sweep was killed after it had spooled the end.
      const isSpooled = spool.hasEnd(session, session.hookAt);
      const endFile = isSpooled ? undefined : spool.add(entry).name;
      notes.write(session.key, { ...notes.read(session.key), ended: true, endFile, pending: undefined });
      live.end(session);
      // A drain may have yet to read the conversation of an end that a killed hook left.
      if (!isSpooled) removeKept(dir, session.transcriptPath);
      return !isSpooled;
    } catch {
      // The disk is full: the session stays live for the next sweep.
      return false;
    } finally {
      lock.release();
    }
  }

  /** Sends what the session has said so far. Not spooled: the next sweep tries again. */
  async checkpoint(session: SeenSession): Promise<"sent" | "nothing" | "later" | "offline"> {
    const { settings, profile } = this;
    const key = keyFor(settings, session);
    if (session.url !== settings.url || settings.problem !== undefined || key === undefined) return "later";
    const transcript = await this.#transcript(session);
    if (transcript === undefined) return "nothing";
    const client = new DaemonClient({
      ...settings,
      ...key,
      agentId: session.agentId,
      runtimePath: profile.runtimePath,
    });
    const reply = await client.checkpoint({
      sessionKey: session.key,
      project: session.cwd || undefined,
      transcript,
      requestContext: await this.#context(session),
    }, { timeoutMs: REQUEST_MS });
    if (reply.kind === "ok") return "sent";
    // This daemon has no checkpoints.
    if (reply.kind === "http" && reply.status === 404) return "nothing";
    return reply.kind === "timeout" || reply.kind === "unreachable" ? "offline" : "later";
  }

  async #entry(session: SeenSession) {
    const { profile } = this;
    const transcript = await this.#transcript(session);
    const { url, agentId, keyFrom, key: sessionKey } = session;
    const id = crypto.randomUUID();
    const client = new DaemonClient({ url, harness: profile.id, agentId, runtimePath: profile.runtimePath });
    return {
      id,
      kind: "session-end" as const,
      path: HOOK_PATHS["session-end"],
      url,
      harness: profile.id,
      agentId,
      keyFrom,
      runtimePath: profile.runtimePath,
      sessionKey,
      body: client.envelope({
        sessionKey,
        cwd: session.cwd || undefined,
        reason: REASON,
        transcript,
        capturedAt: new Date(this.now()).toISOString(),
        requestContext: await this.#context(session),
      }),
    };
  }

  #context(session: SeenSession) {
    const { agentId, cwd, key: sessionKey } = session;
    return requestContext({ ...this.settings, agentId }, { cwd, sessionKey });
  }

  async #transcript(session: SeenSession): Promise<string | undefined> {
    if (session.transcriptPath === undefined) return undefined;
    const text = await readTranscript(session.transcriptPath, this.profile);
    const { inject } = this.#notes(session).read(session.key);
    return inject === undefined ? text : text?.replaceAll(inject, "").trim() || undefined;
  }

  #notes({ url, agentId }: SeenSession): SessionNotes {
    return new SessionNotes(this.dir, url, agentId, this.now);
  }
}
