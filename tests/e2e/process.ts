/** How a program ended. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
  ms: number;
  timedOut: boolean;
}

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
  timeoutMs?: number;
}

/** Runs a program to its end with exactly the given environment, and ends its whole process group if it takes too long. */
export async function run(command: string, args: string[], options: RunOptions = {}): Promise<Ran> {
  const started = performance.now();
  const child = new Deno.Command(command, {
    args,
    cwd: options.cwd,
    env: options.env,
    clearEnv: options.env !== undefined,
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    // Its own process group: a harness starts shells and servers of its own.
    detached: true,
  }).spawn();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid, "SIGKILL");
  }, options.timeoutMs ?? 300_000);
  const reading = Promise.all([text(child.stdout), text(child.stderr)]);
  if (options.stdin !== undefined) await feed(child.stdin, options.stdin);
  const status = await child.status;
  clearTimeout(timer);
  const [stdout, stderr] = await reading;
  return { code: status.code, stdout, stderr, ms: Math.round(performance.now() - started), timedOut };
}

/** Ends a process that was started `detached`, with its children. */
export function killGroup(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(-pid, signal);
  } catch (err) {
    if (!(err instanceof Deno.errors.NotFound)) throw err;
  }
}

async function text(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream).text();
}

async function feed(stream: WritableStream<Uint8Array>, input: string): Promise<void> {
  const writer = stream.getWriter();
  try {
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
  } catch (err) {
    // A program may end without reading its input.
    if (!(err instanceof Deno.errors.BrokenPipe)) throw err;
  }
}
