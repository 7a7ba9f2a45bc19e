import "./common.ts";
import { HOOK_HELP, parseHookArgs } from "./args.ts";
import { logHook } from "./log.ts";
import type { HookProfile } from "./profile.ts";
import { HOST } from "./state/paths.ts";
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

/**
 * Runs a hook and ends the process. Always exits 0: exit 2 would block every prompt in Claude Code and in Codex.
 * The profile may still be loading.
 */
export async function hookMain(
  profile: HookProfile | Promise<HookProfile>,
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
    const harness = await Promise.resolve(profile).catch(() => undefined);
    if (harness) logHook(harness.id, { event: args[0] ?? "", outcome: "error", detail });
  }
  // Open sockets, timers and a silent stdin would keep the process alive (Signet's #890).
  Deno.exit(0);
}

/** Each kind of hook loads its own code: parsing costs more time than a hook's work. */
async function dispatch(
  loading: HookProfile | Promise<HookProfile>,
  args: string[],
  limits: HookLimits,
): Promise<void> {
  if (HOST.env("SIGNET_NO_HOOKS") === "1" || HOST.env("SIGNET_BYPASS") === "1") return;
  const parsed = parseHookArgs(args);
  if (parsed.kind === "help") return void await writeOut(HOOK_HELP);
  // A hook writes, so it does nothing in read-only mode.
  if (HOST.env("SIGNET_CONNECTOR_MODE") === "readonly") return;
  if (parsed.kind !== "usage" && parsed.mode === "readonly") return;
  switch (parsed.kind) {
    case "drain":
      return await (await import("./deferred.ts")).drainMain(await loading);
    case "usage":
      // Gemini uses stderr as the hook's output when stdout is empty.
      if (Deno.stderr.isTerminal()) console.error(parsed.problem);
      return logHook((await loading).id, { event: "usage", outcome: "usage", detail: parsed.problem });
    case "agent": {
      const [{ agentHook }, profile] = await Promise.all([import("./agents/hook.ts"), loading]);
      return await agentHook(profile, parsed, limits.stdinMs);
    }
    case "event": {
      const [{ eventHook }, profile] = await Promise.all([import("./event_hook.ts"), loading]);
      return await eventHook(profile, parsed, limits);
    }
  }
}
