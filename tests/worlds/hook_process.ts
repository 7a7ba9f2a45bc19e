import { DrainLock } from "../../hooks/spool/drain_lock.ts";
import { readLog } from "../../hooks/report.ts";
import { Spool } from "../../hooks/spool/spool.ts";

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
  ms: number;
}

export interface HookOptions {
  env?: Record<string, string | undefined>;
  /** What comes on stdin: an object as JSON, text and bytes as they are, `open` a pipe that is never closed. */
  stdin?: Record<string, unknown> | string | Uint8Array | { open: string };
  args?: string[];
  /** A command in front: `setpriv …`, `faketime …`. */
  before?: string[];
  cwd?: string;
  /** Another Deno than this one, for a user who cannot reach it. */
  program?: string;
}

/**
 * A user's home on a machine with the sample harness, and its hooks as real
 * processes: compiled where SIGNET_TEST_HOOK names a binary, else through Deno.
 */
export class Home implements AsyncDisposable {
  readonly path: string;
  readonly url: string;
  readonly #profile: object;

  private constructor(path: string, url: string, profile: object) {
    this.path = path;
    this.url = url;
    this.#profile = profile;
  }

  static async make(url: string, profile: object = {}, dir?: string): Promise<Home> {
    return new Home(await Deno.makeTempDir({ dir }), url, profile);
  }

  get state(): string {
    return `${this.path}/.local/state/signet/sample`;
  }

  get spool(): Spool {
    return new Spool(this.state);
  }

  log(event?: string): { event: string; outcome: string; detail?: string }[] {
    return readLog(this.state).filter((record) => event === undefined || record.event === event);
  }

  outcomes(event: string): string[] {
    return this.log(event).map(({ outcome }) => outcome);
  }

  async hook(event: string, options: HookOptions = {}): Promise<Ended> {
    const { stdin = {} } = options;
    const started = performance.now();
    const child = this.start(["hook", event, ...(options.args ?? [])], options, "piped");
    const writer = child.stdin.getWriter();
    const bytes = stdin instanceof Uint8Array ? stdin : new TextEncoder().encode(textOf(stdin));
    const written = writer.write(bytes).then(() => isOpen(stdin) ? undefined : writer.close()).catch(
      () => {},
    );
    const { code, stdout, stderr } = await child.output();
    const ms = performance.now() - started;
    await written;
    await writer.abort().catch(() => {});
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr), ms };
  }

  /** The program, started and not waited for. */
  start(
    args: string[],
    { env = {}, before = [], cwd, program: deno }: HookOptions = {},
    stdin: "piped" | "null" = "null",
  ) {
    const set: Record<string, string> = {};
    const wanted = {
      HOME: this.path,
      PATH: Deno.env.get("PATH"),
      DENO_DIR: denoDir(),
      SIGNET_DAEMON_URL: this.url,
      SAMPLE_PROFILE: JSON.stringify(this.#profile),
      SAMPLE_PIDS: `${this.path}/pids`,
      NO_COLOR: "1",
      ...env,
    };
    for (const [name, value] of Object.entries(wanted)) if (value !== undefined) set[name] = value;
    const [program = "", ...rest] = [...before, ...sampleArgv(deno), ...args];
    return new Deno.Command(program, {
      args: rest,
      clearEnv: true,
      env: set,
      cwd,
      stdin,
      stdout: "piped",
      stderr: "piped",
    })
      .spawn();
  }

  /** Until the detached drains have delivered everything. */
  delivered(): Promise<void> {
    return until("the spool is empty", () => this.spool.isEmpty());
  }

  /** Until nobody drains and nobody is about to. */
  quiet(): Promise<void> {
    return until("no drain runs", () => {
      const lock = DrainLock.take(this.state, "drain.lock");
      lock?.release();
      return lock !== undefined && !exists(`${this.state}/drain.wanted`);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pid of pidsIn(`${this.path}/pids`)) {
      try {
        Deno.kill(pid, "SIGKILL");
      } catch {
        // It has ended by itself, as it should.
      }
    }
    // A killed process may still be writing its last file.
    await until("the home is gone", async () => {
      try {
        await Deno.remove(this.path, { recursive: true });
      } catch (error) {
        return error instanceof Deno.errors.NotFound;
      }
      return true;
    });
  }
}

/**
 * How long a hook may take here, given the harness's timeout. Not compiled, each
 * hook begins with Deno reading TypeScript, which on a busy machine takes seconds.
 */
export function within(timeoutMs: number): number {
  return Deno.env.get("SIGNET_TEST_HOOK") ? timeoutMs : timeoutMs + 6000;
}

/** Waits for a condition, not for a time. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = 20_000,
): Promise<void> {
  const end = performance.now() + ms;
  while (!await holds()) {
    if (performance.now() > end) throw new Error(`Waited ${ms} ms in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The drains that were started from a home, by process id. */
export function pidsIn(path: string): number[] {
  try {
    return Deno.readTextFileSync(path).split("\n").filter((line) => line !== "").map(Number);
  } catch {
    return [];
  }
}

export function sampleArgv(deno = Deno.execPath()): string[] {
  const compiled = Deno.env.get("SIGNET_TEST_HOOK");
  if (compiled) return [compiled];
  const entry = new URL("./sample_hook.ts", import.meta.url).pathname;
  return [deno, "run", "-A", "--no-check", "--no-config", "--no-lock", entry];
}

function textOf(stdin: NonNullable<HookOptions["stdin"]>): string {
  if (typeof stdin === "string") return stdin;
  if (isOpen(stdin)) return stdin.open;
  return JSON.stringify(stdin);
}

function isOpen(stdin: NonNullable<HookOptions["stdin"]>): stdin is { open: string } {
  return typeof stdin === "object" && "open" in stdin && typeof stdin.open === "string";
}

function denoDir(): string | undefined {
  const home = Deno.env.get("HOME");
  return Deno.env.get("DENO_DIR") ?? (home === undefined ? undefined : `${home}/.cache/deno`);
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
