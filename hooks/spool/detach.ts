import { Backoff } from "./backoff.ts";
import { Spool } from "./spool.ts";
import { remove } from "../state/state_file.ts";

/** A drain that was asked for this long ago and has not begun was killed. */
const STALE_MS = 5_000;

function wantedPath(stateDir: string): string {
  return `${stateDir}/drain.wanted`;
}

/**
 * Starts `hook drain` of this very program and forgets it. While one has been
 * started and has not yet looked at the spool, nobody starts another: it will
 * see what they wrote.
 */
export function startDrain(harness: string, stateDir: string): void {
  if (!want(stateDir)) return;
  const [program = "", ...args] = selfArgv("hook", "drain", "-H", harness);
  try {
    new Deno.Command(program, {
      args,
      cwd: stateDir,
      detached: true,
      // Gemini waits for whoever holds its pipes.
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn().unref();
  } catch {
    // The binary was moved: the events wait for the next hook.
    remove(wantedPath(stateDir));
  }
}

/** Called by a drain before it looks at the spool: from here on, new events need a new drain. */
export function drainBegins(stateDir: string): void {
  remove(wantedPath(stateDir));
}

/** Starts a drain if there is something to deliver and no reason to wait. */
export function nudgeDrain(harness: string, stateDir: string, daemonAnswered: boolean): void {
  if (new Spool(stateDir).isEmpty()) return;
  const backoff = new Backoff(stateDir);
  const { waitMs, kind } = backoff.read();
  if (waitMs > 0) {
    // The daemon is back: what waited for it need not wait on.
    if (!daemonAnswered || kind !== "offline") return;
    backoff.clear();
  }
  startDrain(harness, stateDir);
}

function want(stateDir: string): boolean {
  const path = wantedPath(stateDir);
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
    return true;
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) return true;
  }
  try {
    const age = Date.now() - (Deno.statSync(path).mtime?.getTime() ?? 0);
    if (age >= 0 && age < STALE_MS) return false;
    Deno.utimeSync(path, new Date(), new Date());
  } catch {
    // Begun just now, or a disk that cannot be written: one drain too many does no harm.
  }
  return true;
}

/** This very program with other arguments; as a script (in tests) through Deno. */
export function selfArgv(...args: string[]): string[] {
  const script = Deno.build.standalone ? [] : ["run", "-A", "--no-prompt", Deno.mainModule];
  return [Deno.execPath(), ...script, ...args];
}
