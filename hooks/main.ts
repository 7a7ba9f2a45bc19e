import { HOOK_HELP, type HookArgs, parseHookArgs } from "./args.ts";
import { budgetMs, Deadline } from "./budget.ts";
import { nudgeDrain, selfArgv, startDrain } from "./spool/detach.ts";
import type { EventName } from "./event.ts";
import { appendLog, isRehearsal } from "./log.ts";
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

/** The waits that do not follow from the harness's timeout. */
export interface HookLimits {
  /** For a pipe that stays open and silent; a complete object ends the reading at once. */
  readonly stdinMs: number;
  /** On a machine under load a harness may take its time to write, and an end that is missed is lost. */
  readonly durableStdinMs: number;
  /** How long after its budget a hook that is still busy is ended. */
  readonly watchdogMs: number;
}

const LIMITS: HookLimits = { stdinMs: 2_000, durableStdinMs: 5_000, watchdogMs: 100 };

/** Frequent events are loaded with the program, the others on demand: parsing costs time. */
const HANDLERS: { readonly [E in EventName]: (run: Run) => Promise<Outcome> } = {
  "session-start": onSessionStart,
  "user-prompt-submit": onPrompt,
  "session-end": async (run) => (await import("./deferred.ts")).onSessionEnd(run),
  "pre-compaction": async (run) => (await import("./deferred.ts")).onPreCompaction(run),
  "compaction-complete": async (run) => (await import("./deferred.ts")).onCompactionComplete(run),
  "checkpoint": async (run) => (await import("./deferred.ts")).onCheckpoint(run),
};

/**
 * Runs a hook and ends the process. Always exits 0: exit 2 would block every prompt in Claude Code and in Codex.
 */
export async function hookMain(
  profile: HookProfile,
  args: string[],
  limits: HookLimits = LIMITS,
): Promise<void> {
  // Nobody reads our stack traces, and a missing file is an error object each time: 0.6 ms of a hook.
  Error.stackTraceLimit = 0;
  // An abandoned promise must not end the process with exit code 1.
  globalThis.addEventListener("unhandledrejection", (event) => event.preventDefault());
  try {
    await dispatch(profile, args, limits);
  } catch (error) {
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    log(profile, { event: args[0] ?? "", outcome: "error", detail });
  }
  // Open sockets, timers and a silent stdin would keep the process alive (Signet's #890).
  Deno.exit(0);
}

async function dispatch(profile: HookProfile, args: string[], limits: HookLimits): Promise<void> {
  if (HOST.env("SIGNET_NO_HOOKS") === "1" || HOST.env("SIGNET_BYPASS") === "1") return;
  const parsed = parseHookArgs(args);
  if (parsed.kind === "help") return void await writeOut(HOOK_HELP);
  // A hook writes, so it does nothing in read-only mode.
  if (HOST.env("SIGNET_CONNECTOR_MODE") === "readonly") return;
  if (parsed.kind !== "usage" && parsed.mode === "readonly") return;
  switch (parsed.kind) {
    case "drain":
      return await (await import("./deferred.ts")).drainMain(profile);
    case "usage":
      // Gemini uses stderr as the hook's output when stdout is empty.
      if (Deno.stderr.isTerminal()) console.error(parsed.problem);
      return log(profile, { event: "usage", outcome: "usage", detail: parsed.problem });
    case "agent":
      return await (await import("./deferred.ts")).agentHook(profile, parsed, limits.stdinMs);
    case "event":
      return await handle(profile, parsed, limits);
  }
}

async function handle(
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
    log(profile, { event, outcome: "watchdog" });
    Deno.exit(0);
  }, deadline.left() + limits.watchdogMs);
  const input = await readInput(
    Deno.stdin,
    Math.min(durable ? limits.durableStdinMs : limits.stdinMs, deadline.left() * 0.6),
  );
  const raw = input.kind === "object" ? input.value : {};
  if (profile.isForeign?.(raw)) return log(profile, { event, outcome: "another program" });
  const normal = normalize(profile, event, raw, workingDirectory(raw, project));
  normal.transcriptPath ??= locateTranscript(profile, normal.sessionKey);
  const settings = loadSettings(profile.id, HOST, {}, {
    cwd: normal.cwd,
    projectFirst: profile.sharesEnvironment,
  });
  const run = new Run(profile, settings, normal, deadline);
  const tracking = new SessionTracking(run);
  const working = HANDLERS[event](run);
  // Loaded while the daemon answers.
  const mesh = settings.options?.agents === true ? await import("./deferred.ts") : undefined;
  const outcome = mesh === undefined ? await working : await mesh.withMesh(run, working);
  const text = profile.render(normal, outcome.print ?? "");
  if (text === "" || await writeOut(text)) outcome.confirm?.();
  clearTimeout(watchdog);
  log(profile, {
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

function log(
  profile: HookProfile,
  record: { event: string; outcome: string } & Pick<Outcome, "status" | "daemonMs" | "detail"> & {
    chars?: number;
    session?: string;
  },
): void {
  appendLog(stateDir(profile.id), {
    at: new Date().toISOString(),
    ms: Math.round(performance.now()),
    ...record,
  });
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
