import type { Surroundings } from "../../../hooks/state/paths.ts";
import type { HookProfile } from "../../../hooks/profile.ts";
import type { Call } from "./calls.ts";
import type { Diagnosis } from "./diagnosis.ts";

/** What a harness would write to the hook, with the fields of every harness. */
export function sampleInput(call: Call, session: string, native: string): Record<string, unknown> {
  return {
    session_id: session,
    hook_event_name: native,
    event: native,
    prompt: "signet doctor",
    message: "signet doctor",
    source: "startup",
    reason: "other",
    trigger: "manual",
    summary: "signet doctor",
    compact_summary: "signet doctor",
    transcript: `User: signet doctor\nAssistant: ${call.event}\n`,
  };
}

export interface Tried {
  readonly code: number;
  readonly out: string;
  readonly ms: number;
  readonly timedOut: boolean;
}

/**
 * Runs a hook as the harness would: shell or exec form, JSON on stdin, its own
 * timeout. The working directory is a temporary one below /tmp, which the daemon
 * treats as noise: doctor must not leave a project in the user's memory.
 */
export async function tryCall(
  call: Call,
  input: unknown,
  timeoutMs: number,
  host: Surroundings,
): Promise<Tried> {
  const cwd = await Deno.makeTempDir(host.os === "windows" ? {} : { dir: "/tmp", prefix: "signet-doctor-" });
  const [program = "", ...args] = call.shell === undefined ? call.argv : shellOf(call.shell, host);
  const started = performance.now();
  const stop = AbortSignal.timeout(timeoutMs);
  try {
    const child = new Deno.Command(program, {
      args,
      cwd,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      signal: stop,
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(JSON.stringify(input))).catch(() => {});
    await writer.close().catch(() => {});
    const { code, stdout } = await child.output();
    return {
      code,
      out: new TextDecoder().decode(stdout),
      ms: Math.round(performance.now() - started),
      timedOut: stop.aborted,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { code: 127, out: why, ms: Math.round(performance.now() - started), timedOut: false };
  } finally {
    await Deno.remove(cwd, { recursive: true }).catch(() => {});
  }
}

function shellOf(command: string, host: Surroundings): string[] {
  return host.os === "windows" ? ["cmd.exe", "/d", "/s", "/c", command] : ["/bin/sh", "-c", command];
}

/** Judges a run as the harness would: exit code, time, format of the output. */
export function judge(profile: HookProfile, call: Call, tried: Tried, timeoutMs: number): Diagnosis {
  const name = `${call.event} hook`;
  const ran = { id: "hook", event: call.event, ms: tried.ms };
  const fix = "run install again";
  if (tried.timedOut) {
    return {
      ...ran,
      ok: false,
      message: `The ${name} did not finish within its timeout of ${timeoutMs / 1000} s`,
      fix: "see hook.log",
    };
  }
  if (tried.code !== 0) {
    return {
      ...ran,
      ok: false,
      message: `The ${name} exited ${tried.code}: ${tried.out.trim().slice(0, 200)}`,
      fix,
    };
  }
  const sample = profile.render({ event: call.event, cwd: "/" }, "text");
  if (sample.startsWith("{") && tried.out.trim() !== "" && !isJson(tried.out)) {
    return { ...ran, ok: false, message: `The ${name} printed output that is not JSON`, fix };
  }
  const output = tried.out.trim() === "" ? "no output" : `${tried.out.length} characters`;
  return { ...ran, ok: true, message: `The ${name} ran in ${tried.ms} ms (${output})` };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
