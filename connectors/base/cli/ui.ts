/** How a command speaks to a person: a mark, a sentence, the next command. */
export interface Ui {
  readonly color: boolean;
  readonly interactive: boolean;
  readonly width: number;
  ok(text: string): void;
  warn(text: string): void;
  fail(text: string): void;
  /** What was found, good or bad: part of the answer, not an error of the call. */
  finding(ok: boolean, text: string): void;
  /** A line without a mark. */
  say(text: string): void;
  /** What to do next, or a detail: `- To undo, run: …`. */
  next(text: string): void;
  /** What to do about an error; it goes where the error went. */
  hint(text: string): void;
  /** What is being done, on a line of its own that the next one replaces; without words the line goes. */
  progress(text?: string): void;
  /** A block printed as it is, such as a diff. */
  block(text: string): void;
  bold(text: string): string;
  dim(text: string): string;
  /** A path as a person writes it, from the home on. */
  path(path: string): string;
}

export interface UiOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly env: (name: string) => string | undefined;
  readonly stdoutTerminal: boolean;
  readonly stdinTerminal: boolean;
  readonly columns: number;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

const paint = (code: number, on: boolean) => (text: string) => on ? `\x1b[${code}m${text}\x1b[0m` : text;

/** See https://no-color.org: any non-empty value switches colour off. */
function wantsColor(options: UiOptions): boolean {
  if (options.env("NO_COLOR") || options.env("TERM") === "dumb") return false;
  return options.stdoutTerminal || Boolean(options.env("CLICOLOR_FORCE"));
}

export function createUi(options: UiOptions): Ui {
  const color = wantsColor(options);
  const [red, green, yellow, bold, dim] = [31, 32, 33, 1, 2].map((code) => paint(code, color)) as [
    (text: string) => string,
    (text: string) => string,
    (text: string) => string,
    (text: string) => string,
    (text: string) => string,
  ];
  const silent = options.json || options.quiet;
  const line = (text: string) => silent ? undefined : options.out(text + "\n");
  return {
    color,
    interactive: options.stdinTerminal && options.stdoutTerminal && !options.json,
    get width() {
      return options.columns;
    },
    ok: (text) => line(`${green("✓")} ${text}`),
    // Warnings and errors are for people even where stdout is a document.
    warn: (text) => options.err(`${yellow("!")} ${text}\n`),
    fail: (text) => options.err(`${red("✗")} ${text}\n`),
    finding: (ok, text) => line(`${ok ? green("✓") : red("✗")} ${text}`),
    say: line,
    next: (text) => line(`  ${dim("-")} ${text}`),
    hint: (text) => options.err(`  ${dim("-")} ${text}\n`),
    // Only a terminal can take a line back; and it goes to stderr, so that `> file` does not get it.
    progress: (text) =>
      silent || !options.stdoutTerminal
        ? undefined
        : options.err(`\r\x1b[2K${text === undefined ? "" : dim(`… ${text}`)}`),
    block: (text) => silent ? undefined : options.out(text),
    bold,
    dim,
    path(path) {
      const home = options.env("HOME");
      return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
    },
  };
}

/** The terminal that this process has. */
export function terminalUi(choice: { json: boolean; quiet: boolean }): Ui {
  const encoder = new TextEncoder();
  const write = (stream: { writeSync(bytes: Uint8Array): number }) => (text: string) => {
    const bytes = encoder.encode(text);
    try {
      for (let sent = 0; sent < bytes.length;) sent += stream.writeSync(bytes.subarray(sent));
    } catch (error) {
      // `signet-pyagent status | head -1`: the reader has seen enough.
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    }
  };
  return createUi({
    ...choice,
    env: (name) => Deno.env.get(name),
    stdoutTerminal: Deno.stdout.isTerminal(),
    stdinTerminal: Deno.stdin.isTerminal(),
    // Asked each time: a terminal may be resized under `status --watch`.
    get columns() {
      return columns();
    },
    out: write(Deno.stdout),
    err: write(Deno.stderr),
  });
}

function columns(): number {
  const told = Number(Deno.env.get("COLUMNS"));
  if (told > 0) return told;
  try {
    return Deno.consoleSize().columns;
  } catch {
    return 100; // not a terminal
  }
}
