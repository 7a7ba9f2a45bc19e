import "./common.ts";
import { openAgentsDir } from "./agents/dir.ts";
import type { HookArgs } from "./args.ts";
import { budgetMs, Deadline } from "./budget.ts";
import { nudgeDrain, selfArgv, startDrain } from "./spool/detach.ts";
import type { EventName } from "./event.ts";
import { isRehearsal, logHook } from "./log.ts";
import type { HookLimits } from "./main.ts";
import { normalize, workingDirectory } from "./normalize.ts";
import { onPrompt } from "./on/prompt.ts";
import { onSessionStart } from "./on/session_start.ts";
import { noteLastInject } from "./state/last_inject.ts";
import { home, HOST, stateDir } from "./state/paths.ts";
import type { HookProfile } from "./profile.ts";
import { type Outcome, Run } from "./run.ts";
import { loadSettings } from "./daemon/settings.ts";
import { SessionTracking } from "./track_session.ts";
import { refreshStale, STAMP_NAME } from "./state/stale.ts";
import { neverCreateAgain } from "./state/state_file.ts";
import { readInput } from "./stdin.ts";
import { writeOut } from "./write_out.ts";

/** Frequent events are loaded with the program, the others on demand: parsing costs time. */
const HANDLERS: { readonly [E in EventName]: (run: Run) => Promise<Outcome> } = {
  "session-start": onSessionStart,
  "user-prompt-submit": onPrompt,
  "session-end": async (run) => (await import("./deferred.ts")).onSessionEnd(run),
  "pre-compaction": async (run) => (await import("./deferred.ts")).onPreCompaction(run),
  "compaction-complete": async (run) => (await import("./deferred.ts")).onCompactionComplete(run),
  "checkpoint": async (run) => (await import("./deferred.ts")).onCheckpoint(run),
};

/** Handles an event of the harness's session: calls the daemon, and prints what the agent should know. */
export async function eventHook(
  profile: HookProfile,
  args: HookArgs & { kind: "event" },
  limits: HookLimits,
): Promise<void> {
  const { event, project } = args;
  neverCreateAgain(stateDir(profile.id));
  const deadline = new Deadline(budgetMs(profile, event, HOST.env));
  const durable = event === "session-end" || event === "compaction-complete";
  if (durable) holdSignals();
  const watchdog = setTimeout(() => {
    logHook(profile.id, { event, outcome: "watchdog" });
    Deno.exit(0);
  }, deadline.left() + limits.watchdogMs);
  // Loaded while the harness writes, for the sessions on this machine that take part.
  const agentsDir = openAgentsDir();
  if (agentsDir !== undefined) import("./agents/quiet_turn.ts").catch(() => {}); // awaited where it is used
  const input = await readInput(
    Deno.stdin,
    Math.min(durable ? limits.durableStdinMs : limits.stdinMs, deadline.left() * 0.6),
  );
  const raw = input.kind === "object" ? input.value : {};
  if (profile.isForeign?.(raw)) return logHook(profile.id, { event, outcome: "another program" });
  const normal = normalize(profile, event, raw, workingDirectory(raw, project));
  normal.transcriptPath ??= locateTranscript(profile, normal.sessionKey);
  const settings = loadSettings(profile.id, HOST, {}, {
    cwd: normal.cwd,
    projectFirst: profile.sharesEnvironment,
  });
  const run = new Run(profile, settings, normal, deadline);
  const tracking = new SessionTracking(run);
  const working = HANDLERS[event](run);
  const mesh = settings.options?.agents === true ? await import("./agents/quiet_turn.ts") : undefined;
  const outcome = mesh === undefined ? await working : await mesh.withMesh(run, working, agentsDir);
  const text = outcome.refuse === undefined
    ? profile.render(normal, outcome.print ?? "")
    : JSON.stringify({ decision: "block", reason: outcome.refuse });
  if (text === "" || await writeOut(text)) outcome.confirm?.();
  clearTimeout(watchdog);
  logHook(profile.id, {
    event,
    outcome: outcome.outcome,
    status: outcome.status,
    daemonMs: outcome.daemonMs,
    chars: outcome.print?.length || undefined,
    session: normal.sessionKey?.slice(0, 12),
    detail: outcome.detail ?? (input.kind === "none" ? `stdin: ${input.why}` : undefined),
  });
  if (run.dir === undefined) return;
  const { sessionKey: session } = normal;
  if (outcome.print && !isRehearsal({ session })) {
    noteLastInject(run.dir, { at: new Date().toISOString(), event, session, text: outcome.print });
  }
  if (tracking.finish(outcome)) startDrain(profile.id, run.dir);
  else if (event !== "session-end") nudgeDrain(profile.id, run.dir, outcome.answered === true);
  if (event === "session-start") {
    run.notes.prune();
    const harness = args.harness === undefined ? [] : ["-H", args.harness];
    refreshStale(`${run.dir}/${STAMP_NAME}`, selfArgv("sync", "--quiet", ...harness));
  }
}

/** The session's conversation, where only the harness's directory says where it is. */
function locateTranscript(profile: HookProfile, session: string | undefined): string | undefined {
  const base = home();
  if (session === undefined || base === undefined) return undefined;
  return profile.findTranscript?.(session, { host: HOST, home: base });
}

/** Ctrl-C reaches the harness's whole process group: the session end must be on disk before we exit. */
function holdSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    try {
      Deno.addSignalListener(signal, () => {});
    } catch {
      // Windows does not have all of them.
    }
  }
}
