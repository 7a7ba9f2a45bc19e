export interface BenchCase {
  readonly name: string;
  /** The command; each run may use another copy of the program. */
  argv(): readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** New input for each run, so that no run benefits from the one before. */
  stdin(): string;
  /** It is compared with a case that takes nearly as long, so it needs more rounds. */
  readonly isClose?: boolean;
  /** Resets the state; not timed. */
  readonly before?: () => void | Promise<void>;
  /** Waits for background work to finish; not timed. */
  readonly after?: () => void | Promise<void>;
  /** Whether it calls the daemon that can hold a request, so that its memory can be measured. */
  readonly waits?: boolean;
}

/** Milliseconds from start to end of a program; throws if it fails. */
export async function time(benchCase: BenchCase): Promise<number> {
  await benchCase.before?.();
  const started = performance.now();
  const { status } = await start(benchCase);
  const { code } = await status;
  const ms = performance.now() - started;
  // curl and Node would fail without a daemon, so they run only with one.
  if (code !== 0) throw new Error(`${benchCase.name} ended with exit code ${code}.`);
  await benchCase.after?.();
  return ms;
}

async function start(
  { argv, env, stdin }: BenchCase,
): Promise<{ pid: number; status: Promise<Deno.CommandStatus> }> {
  const [program = "", ...args] = argv();
  const child = new Deno.Command(program, {
    args,
    clearEnv: true,
    env,
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin()));
  await writer.close();
  return { pid: child.pid, status: child.status };
}

/** The peak memory of a program, in MB, while it waits for the daemon's response; Linux only. */
export async function memory(
  benchCase: BenchCase,
  hold: () => { arrived: Promise<void>; release: () => void },
): Promise<number> {
  await benchCase.before?.();
  const { arrived, release } = hold();
  const { pid, status } = await start(benchCase);
  await arrived;
  const text = await Deno.readTextFile(`/proc/${pid}/status`).catch(() => "");
  release();
  await status;
  await benchCase.after?.();
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(text)?.[1] ?? NaN) / 1024;
}
