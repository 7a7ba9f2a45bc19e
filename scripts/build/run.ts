/** How a program ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** It timed out and was stopped. */
  readonly late: boolean;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly clearEnv?: boolean;
  /** Written to the program's stdin, which is then closed. */
  readonly input?: string;
  /** Without it, the program may run for any time. */
  readonly timeoutMs?: number;
}

/**
 * Generous, because a slow machine needs minutes; finite, because `deno bundle`
 * uses the network and may hang.
 */
export const STEP_TIMEOUT_MS = 30 * 60_000;

/** Why a program failed: that it was too slow, or what it printed. */
export function failure({ late, stderr, code }: Ended, timeoutMs: number): string {
  if (late) return `it did not end in ${timeoutMs / 60_000} minutes`;
  return stderr.trim() || `exit code ${code}`;
}

/** Runs a program until it ends or times out. */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { input, timeoutMs, ...rest } = options;
  const deadline = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const child = new Deno.Command(program, {
    ...rest,
    args: [...args],
    stdin: input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    signal: deadline,
  }).spawn();
  const fed = input === undefined ? undefined : feed(child.stdin, input);
  const { code, stdout, stderr } = await child.output();
  await fed;
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr), late: deadline?.aborted ?? false };
}

async function feed(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch (err) {
    // The program ended without reading; its output says why. Deno reports this as a
    // broken pipe or as a TypeError about the state of the stream.
    if (!(err instanceof Deno.errors.BrokenPipe || err instanceof TypeError)) throw err;
  }
}
