import { keyFor } from "../daemon/agent_keys.ts";
import { DaemonClient } from "../daemon/client.ts";
import { requestContext } from "../daemon/context.ts";
import type { Settings } from "../daemon/settings.ts";
import { HOOK_PATHS } from "../daemon/wire.ts";
import type { HookProfile } from "../profile.ts";
import { DrainLock } from "../spool/drain_lock.ts";
import { Spool } from "../spool/spool.ts";
import { fileTime, hasLostProgram, LiveSessions, type SeenSession } from "../state/live_sessions.ts";
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
  const sweep = new Sweep(profile, settings, dir, options.now ?? Date.now);
  const end = performance.now() + (options.maxMs ?? MAX_MS);
  do {
    const lock = DrainLock.take(dir, "sweep.lock");
    if (lock === undefined) break;
    try {
      const open = await endSessions(sweep, report, end);
      await checkpointSessions(sweep, open, report, end);
    } finally {
      lock.release();
    }
    // A program may be gone since we looked, and the sweep of a start have found the lock taken.
  } while (performance.now() < end && sweep.hasMoreLost());
  return report;
}

/** Comes first, because it needs no daemon. Returns the sessions that are not over. */
async function endSessions(sweep: Sweep, report: SweepReport, end: number): Promise<SeenSession[]> {
  const sessions = sweep.live.list();
  sweep.state.begin(sessions.map(({ file }) => file));
  const open: SeenSession[] = [];
  for (const session of sessions) {
    if (performance.now() >= end) break;
    const isOver = hasLostProgram(session) || sweep.now() - sweep.seenAt(session) >= END_AFTER_MS;
    if (!isOver) open.push(session);
    else if (await sweep.end(session)) report.ended++;
  }
  return open;
}

async function checkpointSessions(
  sweep: Sweep,
  open: readonly SeenSession[],
  report: SweepReport,
  end: number,
): Promise<void> {
  const { state } = sweep;
  for (const session of open.slice(0, MAX_SESSIONS)) {
    if (performance.now() >= end) return;
    const seenAt = sweep.seenAt(session);
    if (sweep.now() - seenAt < CHECKPOINT_AFTER_MS || state.hasCheckpoint(session.file, seenAt)) continue;
    const result = await sweep.checkpoint(session);
    if (result === "offline") return;
    if (result === "later") continue;
    state.addCheckpoint(session.file, seenAt);
    if (result === "sent") report.checkpoints++;
  }
}

class Sweep {
  readonly state: SweepState;
  readonly live: LiveSessions;
  /** The sessions that it has tried to end, each as it was then. */
  readonly #tried = new Set<string>();

  constructor(
    readonly profile: HookProfile,
    readonly settings: Settings,
    readonly dir: string,
    readonly now: () => number,
  ) {
    this.state = new SweepState(dir, now);
    this.live = new LiveSessions(dir, now);
  }

  /** When the session was last heard of, in ms since 1970. */
  seenAt({ hookAt, transcriptPath }: SeenSession): number {
    return Math.max(hookAt, fileTime(transcriptPath ?? "") ?? 0);
  }

  /** Whether a session has lost its program, or had a last hook, since this sweep looked. */
  hasMoreLost(): boolean {
    return this.live.list().some((session) => hasLostProgram(session) && !this.#tried.has(asSeen(session)));
  }

  /** Spools the end of a session; false if a hook of the session was faster. */
  async end(session: SeenSession): Promise<boolean> {
    const { dir, live, now } = this;
    this.#tried.add(asSeen(session));
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

function asSeen({ file, hookAt }: SeenSession): string {
  return `${file} ${hookAt}`;
}
