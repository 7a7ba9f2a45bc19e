import { DrainLock } from "../../../hooks/spool/drain_lock.ts";
import { readLog } from "../../../hooks/report.ts";
import { Spool } from "../../../hooks/spool/spool.ts";
import type { HookLimits } from "../../../hooks/main.ts";
import { ScratchHome } from "../../../connectors/base/testing/scratch_home.ts";
import { HANG_MS, until } from "../../../connectors/base/testing/until.ts";
import { exists } from "../exists.ts";
import { programArgs } from "../programs.ts";

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

export interface HookOptions {
  env?: Record<string, string | undefined>;
  /** What comes on stdin: an object as JSON, text and bytes as they are, `open` a pipe that is never closed. */
  stdin?: Record<string, unknown> | string | Uint8Array | { open: string };
  args?: string[];
  /** A command in front: `setpriv …`, `unshare …`. */
  before?: string[];
  cwd?: string;
  /** Another Deno than this one, for a user who cannot reach it. */
  program?: string;
  /** The hook's budget from the start of its process; not for `session-end` and `compaction-complete`. */
  budgetMs?: number;
  /** The limits of a hook (hooks/main.ts) that a test may want to see reached. */
  limits?: Partial<HookLimits>;
}

/** More than a hook needs on any machine: what it does then depends on its input, not on its speed. */
const AMPLE_MS = HANG_MS / 2;
const AMPLE: HookLimits = { stdinMs: AMPLE_MS, durableStdinMs: AMPLE_MS, watchdogMs: AMPLE_MS };

/**
 * A user's home on a machine with the sample harness, and its hooks as real
 * processes: compiled where SIGNET_TEST_HOOK names a binary, else through Deno.
 */
export class SampleHome extends ScratchHome {
  readonly #profile: object;
  readonly #children = new Set<Deno.ChildProcess>();

  private constructor(path: string, readonly url: string, profile: object) {
    super(path);
    this.#profile = profile;
  }

  static async make(url: string, profile: object = {}, dir?: string): Promise<SampleHome> {
    return new SampleHome(await ScratchHome.makeRoot({ dir }), url, profile);
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

  /** The drains that were started from this home, by process id. */
  drains(): number[] {
    try {
      return Deno.readTextFileSync(`${this.path}/pids`).split("\n").filter((line) => line !== "").map(Number);
    } catch {
      return [];
    }
  }

  async hook(event: string, options: HookOptions = {}): Promise<Ended> {
    const { stdin = {} } = options;
    const child = this.start(["hook", event, ...(options.args ?? [])], options, "piped");
    const hanging = setTimeout(() => kill(child), HANG_MS);
    try {
      const writer = child.stdin.getWriter();
      const bytes = stdin instanceof Uint8Array ? stdin : new TextEncoder().encode(textOf(stdin));
      const written = writer.write(bytes).then(() => isOpen(stdin) ? undefined : writer.close()).catch(
        () => {},
      );
      const { code, stdout, stderr } = await child.output();
      await written;
      await writer.abort().catch(() => {});
      const decoder = new TextDecoder();
      return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
    } finally {
      clearTimeout(hanging);
    }
  }

  /** Starts the program and does not wait for it; it is killed with the home at the latest. */
  start(
    args: string[],
    { env = {}, before = [], cwd, program: deno, budgetMs = AMPLE_MS, limits }: HookOptions = {},
    stdin: "piped" | "null" = "null",
  ): Deno.ChildProcess {
    const set: Record<string, string> = {};
    const wanted = {
      HOME: this.path,
      PATH: Deno.env.get("PATH"),
      DENO_DIR: denoDir(),
      SIGNET_DAEMON_URL: this.url,
      SIGNET_FETCH_TIMEOUT: `${budgetMs}`,
      SAMPLE_PROFILE: JSON.stringify(this.#profile),
      SAMPLE_LIMITS: JSON.stringify({ ...AMPLE, ...limits }),
      SAMPLE_PIDS: `${this.path}/pids`,
      NO_COLOR: "1",
      ...env,
    };
    for (const [name, value] of Object.entries(wanted)) if (value !== undefined) set[name] = value;
    const [program = "", ...rest] = [...before, ...sampleArgv(deno), ...args];
    const child = new Deno.Command(program, {
      args: rest,
      clearEnv: true,
      env: set,
      cwd,
      stdin,
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#children.add(child);
    child.status.finally(() => this.#children.delete(child));
    return child;
  }

  /** Waits until the detached drains have delivered everything. */
  async delivered(): Promise<void> {
    await until("the spool is empty", () => this.spool.isEmpty());
  }

  /** Waits until no drain runs and none is about to. */
  async quiet(): Promise<void> {
    await until("no drain runs", () => {
      const locks = (["sweep.lock", "drain.lock"] as const).map((name) => DrainLock.take(this.state, name));
      for (const lock of locks) lock?.release();
      return locks.every((lock) => lock !== undefined) && !exists(`${this.state}/drain.wanted`);
    });
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) kill(child);
    for (const pid of this.drains()) {
      try {
        Deno.kill(pid, "SIGKILL");
      } catch {
        // It has ended by itself, as it should.
      }
    }
    await super[Symbol.asyncDispose]();
  }
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended.
  }
}

export function sampleArgv(deno = Deno.execPath()): string[] {
  const compiled = Deno.env.get("SIGNET_TEST_HOOK");
  if (compiled) return [compiled];
  return [deno, ...programArgs("tests/worlds/hooks/sample_hook.ts")];
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
