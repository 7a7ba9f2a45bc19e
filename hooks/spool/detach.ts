import { Backoff } from "./backoff.ts";
import { Spool } from "./spool.ts";
import { remove } from "../state/state_file.ts";

/** A drain that was requested this long ago and has not started was killed. */
const STALE_MS = 5_000;

function wantedPath(stateDir: string): string {
  return `${stateDir}/drain.wanted`;
}

/**
 * Starts `hook drain` as a detached process. If one was started and has not yet
 * read the spool, does nothing: that one will see the new events.
 */
export function startDrain(harness: string, stateDir: string): void {
  if (!claimDrain(stateDir)) return;
  const [program = "", ...args] = selfArgv("hook", "drain", "-H", harness);
  try {
    new Deno.Command(program, {
      args,
      cwd: stateDir,
      detached: true,
      // Gemini waits for every process that holds its pipes.
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn().unref();
  } catch {
    // The binary was moved: the events wait for the next hook.
    remove(wantedPath(stateDir));
  }
}

/** Called by a drain before it reads the spool: from now on, new events need a new drain. */
export function drainBegins(stateDir: string): void {
  remove(wantedPath(stateDir));
}

/** Starts a drain if the spool is not empty and no back-off applies. */
export function nudgeDrain(harness: string, stateDir: string, daemonAnswered: boolean): void {
  if (new Spool(stateDir).isEmpty()) return;
  const backoff = new Backoff(stateDir);
  const { waitMs, kind } = backoff.read();
  if (waitMs > 0) {
    // The daemon is back: what waited for it can go.
    if (!daemonAnswered || kind !== "offline") return;
    backoff.clear();
  }
  startDrain(harness, stateDir);
}

/** Whether the caller is to start a drain: nobody else has, or theirs has not begun for too long. */
export function claimDrain(stateDir: string, now: () => number = Date.now): boolean {
  const path = wantedPath(stateDir);
  const stamp = () => Deno.utimeSync(path, now() / 1000, now() / 1000);
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
    stamp();
    return true;
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) return true;
  }
  try {
    const age = now() - (Deno.statSync(path).mtime?.getTime() ?? 0);
    if (age >= 0 && age < STALE_MS) return false;
    stamp();
  } catch {
    // It has just started, or the disk is read-only: one drain too many does no harm.
  }
  return true;
}

/** The command line that runs this program with other arguments; through Deno if it is a script (in tests). */
export function selfArgv(...args: string[]): string[] {
  const script = Deno.build.standalone ? [] : ["run", "-A", "--no-prompt", Deno.mainModule];
  return [Deno.execPath(), ...script, ...args];
}
