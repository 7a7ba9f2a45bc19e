/** The standard streams: which are terminals, and how to write to them. */
export interface Terminal {
  readonly stdout: boolean;
  readonly stdin: boolean;
  readonly stderr: boolean;
  readonly columns: number;
  out(text: string): void;
  err(text: string): void;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const encoder = new TextEncoder();
  const write = (stream: { writeSync(bytes: Uint8Array): number }) => (text: string) => {
    const bytes = encoder.encode(text);
    try {
      for (let sent = 0; sent < bytes.length;) sent += stream.writeSync(bytes.subarray(sent));
    } catch (error) {
      // `signet-pyagent status | head -1`: the reader closed the pipe.
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    }
  };
  return {
    stdout: Deno.stdout.isTerminal(),
    stdin: Deno.stdin.isTerminal(),
    stderr: Deno.stderr.isTerminal(),
    get columns() {
      return columns();
    },
    out: write(Deno.stdout),
    err: write(Deno.stderr),
  };
}

function columns(): number {
  const width = Number(Deno.env.get("COLUMNS"));
  if (width > 0) return width;
  try {
    return Deno.consoleSize().columns;
  } catch {
    return 100; // not a terminal
  }
}
