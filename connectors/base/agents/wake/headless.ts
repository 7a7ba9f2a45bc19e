import { describeProblem, readUserConfig } from "../../../../hooks/agents/config/config_files.ts";
import { stripControls } from "../../../../hooks/context_text/strip_controls.ts";
import { truncate } from "../../../../hooks/context_text/truncate.ts";
import type { Surroundings } from "../../../../hooks/state/paths.ts";
import { UserError } from "../../cli/command.ts";
import type { Harness } from "../../harness.ts";
import { findProgram } from "../../programs/find_program.ts";
import { MAX_TEXT } from "../messages/message_text.ts";

/** The number of agents between a person and this run, so that a chain of them ends. */
export const HOP_VARIABLE = "SIGNET_AGENT_HOP";
const GRACE_MS = 5_000;
/** More output than this is not an answer. */
const MAX_OUTPUT = 1024 * 1024;

export interface Start {
  readonly prompt: string;
  readonly cwd: string;
  readonly ms: number;
  readonly hop: number;
  readonly signal?: AbortSignal;
}

/** What a run of a harness printed. */
export interface Ran {
  readonly kind: "answer" | "failed" | "timeout" | "stopped";
  /** The answer, or what the program reported. */
  readonly text: string;
}

/**
 * Runs a harness once with a prompt, as the user would without a terminal. Its
 * permissions are those that the user gave it: no flag is added that widens them.
 */
export async function runHeadless(harness: Harness, host: Surroundings, start: Start): Promise<Ran> {
  const { headless } = harness;
  if (headless === undefined) {
    throw new UserError(`${harness.displayName} cannot be started without a terminal.`);
  }
  const program = findProgram(harness.programs, host);
  if (program === undefined) {
    throw new UserError(`${harness.programs.join(" or ")} is not on PATH, so it cannot be started.`);
  }
  const byArgument = headless.prompt === "argument";
  const child = new Deno.Command(program, {
    args: [...headless.args, ...extraArguments(harness.id, host), ...byArgument ? [start.prompt] : []],
    cwd: start.cwd,
    clearEnv: true,
    env: environment(start.hop),
    // A process group of its own: what the harness started ends with it.
    detached: true,
    stdin: byArgument ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let why: "timeout" | "stopped" | undefined;
  const stop = (reason: "timeout" | "stopped") => {
    why ??= reason;
    end(child, "SIGTERM");
    return setTimeout(() => end(child, "SIGKILL"), GRACE_MS);
  };
  const timers = [setTimeout(() => timers.push(stop("timeout")), start.ms)];
  const onAbort = () => timers.push(stop("stopped"));
  start.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    if (!byArgument) await write(child, start.prompt);
    const [out, err, { success }] = await Promise.all([read(child.stdout), read(child.stderr), child.status]);
    if (why !== undefined) return { kind: why, text: shown(err) };
    return success ? { kind: "answer", text: shown(out) } : { kind: "failed", text: lastLines(err || out) };
  } finally {
    timers.forEach(clearTimeout);
    start.signal?.removeEventListener("abort", onAbort);
  }
}

/**
 * `start.<harness>` in the user's agents.yaml: arguments that every such run has. They may
 * be what keeps it in a sandbox, so without them nothing is run.
 */
function extraArguments(harness: string, host: Surroundings): readonly string[] {
  const file = readUserConfig(host);
  if (file.state === "broken") throw new UserError(`${describeProblem(file)}. Nothing was started.`);
  const { start = {} } = file.config;
  return Object.hasOwn(start, harness) ? start[harness] ?? [] : [];
}

/** The user's environment, without the variables by which the new session would be taken for ours. */
function environment(hop: number): Record<string, string> {
  const env = Deno.env.toObject();
  for (const name of ["CLAUDE_CODE_SESSION_ID", "CLAUDECODE", "GEMINI_SESSION_ID"]) delete env[name];
  return { ...env, [HOP_VARIABLE]: String(hop) };
}

function end(child: Deno.ChildProcess, signal: Deno.Signal): void {
  for (const pid of [-child.pid, child.pid]) {
    try {
      Deno.kill(pid, signal);
      return;
    } catch {
      // No such group, or it has ended.
    }
  }
}

async function write(child: Deno.ChildProcess, text: string): Promise<void> {
  const writer = child.stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // It has ended without reading its input; its exit code says why.
  }
}

async function read(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    if (text.length < MAX_OUTPUT) text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

function shown(text: string): string {
  return truncate(stripControls(text).trim(), MAX_TEXT);
}

function lastLines(text: string): string {
  return shown(text).split("\n").slice(-5).join(" ").slice(-500);
}
