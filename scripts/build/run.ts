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
  readonly timeoutMs: number;
}

/** Runs a program until it ends or times out. */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { input, timeoutMs, ...rest } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
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
  return { code, stdout: decode(stdout), stderr: decode(stderr), late: deadline.aborted };
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
