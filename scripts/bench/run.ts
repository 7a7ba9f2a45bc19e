export interface BenchCase {
  readonly name: string;
  /** The command; each run may ask for another copy of the program. */
  argv(): readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A new one for each run, so that no run profits from the last. */
  stdin(): string;
  /** Brings the scene back to where it was; not timed. */
  readonly before?: () => void | Promise<void>;
  /** Lets what was left running in the background come to rest; not timed. */
  readonly after?: () => void | Promise<void>;
  /** Whether it asks the daemon that can be held, so that its memory can be read meanwhile. */
  readonly waits?: boolean;
}

/** Milliseconds from starting a program to its end; throws if it did not end well. */
export async function time(benchCase: BenchCase): Promise<number> {
  await benchCase.before?.();
  const started = performance.now();
  const { status } = await start(benchCase);
  const { code } = await status;
  const ms = performance.now() - started;
  // curl and Node fail where no daemon is; we do not let them meet that case.
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

/** The most memory that a program had used when it waited for the daemon's answer, in MB; Linux only. */
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
