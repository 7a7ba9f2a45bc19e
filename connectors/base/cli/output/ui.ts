import { jsonDocument } from "./json_document.ts";
import { wrapSentence } from "./layout.ts";
import type { Terminal } from "./terminal.ts";

/** Output for people: a mark, a sentence, the next command. */
export interface Ui {
  readonly color: boolean;
  readonly interactive: boolean;
  readonly width: number;
  ok(text: string): void;
  warn(text: string): void;
  fail(text: string): void;
  /** A check's result: part of the output, not an error of the command. */
  finding(ok: boolean, text: string): void;
  /** A line without a mark. */
  say(text: string): void;
  /** What to do next, or a detail: `- To undo, run: …`. */
  next(text: string): void;
  /** What to do about an error; printed to stderr like the error. */
  hint(text: string): void;
  /** Prints a block verbatim, such as a diff. */
  block(text: string): void;
  bold(text: string): string;
  dim(text: string): string;
  /** A path with `~` for the home directory. */
  path(path: string): string;
  /** Waits for a step; on a terminal it shows progress if the step takes longer than a second. */
  during<T>(what: string, step: Promise<T>): Promise<T>;
  /** Shows progress, on a terminal only. The next call replaces it; without text it is cleared. */
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

/** Faster steps need no progress line. */
const PROGRESS_DELAY_MS = 1_000;

const paint = (code: number, on: boolean) => (text: string) => on ? `\x1b[${code}m${text}\x1b[0m` : text;

/** See https://no-color.org: any non-empty value disables color. */
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
  // A pipe gets whole lines: programs and searches read them.
  const sentence = (isTerminal: boolean, indent: string, text: string) =>
    isTerminal ? wrapSentence(text, width(options) - indent.length, indent) : text;
  const marked = (mark: string, text: string) => line(`${mark} ${sentence(terminal.stdout, "  ", text)}`);
  const error = (mark: string, text: string) =>
    terminal.err(`${mark} ${sentence(terminal.stderr, "  ", text)}\n`);
  // Only a terminal can erase a line. It goes to stderr, so that `> file` does not contain it.
  const progress = (text?: string) =>
    silent || !terminal.stderr
      ? undefined
      : terminal.err(`\r\x1b[2K${text === undefined ? "" : dim(`… ${text}`)}`);
  return {
    color,
    interactive: terminal.stdin && terminal.stdout && !options.json,
    // Read each time: the terminal may be resized during `status --watch`.
    get width() {
      return width(options);
    },
    ok: (text) => marked(green("✓"), text),
    // Warnings and errors are printed even if stdout is a JSON document.
    warn: (text) => error(yellow("!"), text),
    fail: (text) => error(red("✗"), text),
    finding: (ok, text) => marked(ok ? green("✓") : red("✗"), text),
    say: line,
    next: (text) => line(`  ${dim("-")} ${sentence(terminal.stdout, "    ", text)}`),
    hint: (text) => terminal.err(`  ${dim("-")} ${sentence(terminal.stderr, "    ", text)}\n`),
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
      }, PROGRESS_DELAY_MS);
      try {
        return await step;
      } finally {
        clearTimeout(timer);
        if (shown) progress();
      }
    },
    document: (data) => options.json ? terminal.out(jsonDocument(data)) : undefined,
  };
}

/** COLUMNS if set, otherwise the terminal's width. */
function width({ env, terminal }: UiOptions): number {
  const columns = Number(env("COLUMNS"));
  return Number.isInteger(columns) && columns > 0 ? columns : terminal.columns;
}
