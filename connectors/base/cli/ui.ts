import type { Terminal } from "./terminal.ts";

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
  /** A block printed as it is, such as a diff. */
  block(text: string): void;
  bold(text: string): string;
  dim(text: string): string;
  /** A path as a person writes it, from the home on. */
  path(path: string): string;
  /** Waits for a step; on a terminal it says what it is about once that takes longer than a second. */
  during<T>(what: string, step: Promise<T>): Promise<T>;
  /** What is under way, on a terminal only; the next call takes its place, and none at all clears it. */
  progress(text?: string): void;
  /** What `--json` prints. */
  document(data: unknown): void;
}

interface UiOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly env: (name: string) => string | undefined;
  readonly terminal: Terminal;
}

/** Nobody wonders within a second. */
const PATIENCE_MS = 1_000;

const paint = (code: number, on: boolean) => (text: string) => on ? `\x1b[${code}m${text}\x1b[0m` : text;

/** See https://no-color.org: any non-empty value switches colour off. */
function wantsColor(options: UiOptions): boolean {
  if (options.env("NO_COLOR") || options.env("TERM") === "dumb") return false;
  return options.terminal.stdout || Boolean(options.env("CLICOLOR_FORCE"));
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
  const { terminal } = options;
  const silent = options.json || options.quiet;
  const line = (text: string) => silent ? undefined : terminal.out(text + "\n");
  // Only a terminal can take a line back; and it goes to stderr, so that `> file` does not get it.
  const progress = (text?: string) =>
    silent || !terminal.stderr
      ? undefined
      : terminal.err(`\r\x1b[2K${text === undefined ? "" : dim(`… ${text}`)}`);
  return {
    color,
    interactive: terminal.stdin && terminal.stdout && !options.json,
    // Asked each time: a terminal may be resized under `status --watch`.
    get width() {
      return width(options);
    },
    ok: (text) => line(`${green("✓")} ${text}`),
    // Warnings and errors are for people even where stdout is a document.
    warn: (text) => terminal.err(`${yellow("!")} ${text}\n`),
    fail: (text) => terminal.err(`${red("✗")} ${text}\n`),
    finding: (ok, text) => line(`${ok ? green("✓") : red("✗")} ${text}`),
    say: line,
    next: (text) => line(`  ${dim("-")} ${text}`),
    hint: (text) => terminal.err(`  ${dim("-")} ${text}\n`),
    block: (text) => silent ? undefined : terminal.out(text),
    bold,
    dim,
    path(path) {
      const home = options.env("HOME");
      return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
    },
    progress,
    async during(what, step) {
      let shown = false;
      const timer = setTimeout(() => {
        shown = true;
        progress(what);
      }, PATIENCE_MS);
      try {
        return await step;
      } finally {
        clearTimeout(timer);
        if (shown) progress();
      }
    },
    document: (data) => options.json ? terminal.out(JSON.stringify(data, null, 2) + "\n") : undefined,
  };
}

/** COLUMNS, where someone set it, then the terminal's own width. */
function width({ env, terminal }: UiOptions): number {
  const said = Number(env("COLUMNS"));
  return Number.isInteger(said) && said > 0 ? said : terminal.columns;
}
