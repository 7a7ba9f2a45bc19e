import type { Frame } from "./render.ts";
import { ansi } from "./line.ts";

/** The terminal that the screen is drawn on. */
export interface ScreenTerminal {
  write(text: string): void;
  /** With `true`, keys come one by one and are not echoed. */
  setRaw(on: boolean): void;
  readonly color: boolean;
}

/** The alternate screen, a hidden cursor, no wrapping of long lines, and marks around pasted text. */
const ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[2J";
/** Cleared first: after the window was made wider, tmux puts what is left into its history. */
const LEAVE = "\x1b[2J\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[0m\x1b[?1049l";
/** Terminals that know it show what is between these at once. */
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";

/**
 * Draws on the whole terminal, and gives it back as it was, whatever happens to the
 * program: on `dispose`, on `Deno.exit` and on an error that nobody catches.
 */
export class TerminalScreen implements Disposable {
  readonly #terminal: ScreenTerminal;
  #shown: string[] = [];
  #isOpen = false;
  readonly #close = () => this.close();

  constructor(terminal: ScreenTerminal) {
    this.#terminal = terminal;
    for (const event of LAST_EVENTS) globalThis.addEventListener(event, this.#close);
    this.open();
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#shown = [];
    this.#terminal.setRaw(true);
    this.#terminal.write(ENTER);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.#terminal.write(LEAVE);
      this.#terminal.setRaw(false);
    } catch {
      // The terminal is gone: its window was closed.
    }
  }

  /** Everything is drawn again: the terminal's size has changed, or something else wrote to it. */
  forget(): void {
    if (this.#isOpen) this.#terminal.write("\x1b[2J");
    this.#shown = [];
  }

  /** Writes the lines that differ from those on the screen. */
  draw({ lines, cursor }: Frame): void {
    if (!this.#isOpen) return;
    const texts = lines.map((line) => ansi(line, this.#terminal.color));
    let changes = "";
    for (const [row, text] of texts.entries()) {
      if (this.#shown[row] !== text) changes += `\x1b[${row + 1};1H\x1b[K${text}`;
    }
    this.#shown = texts;
    const place = cursor === undefined
      ? "\x1b[?25l"
      : `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
    this.#terminal.write(BEGIN + changes + place + END);
  }

  [Symbol.dispose](): void {
    this.close();
    for (const event of LAST_EVENTS) globalThis.removeEventListener(event, this.#close);
  }
}

const LAST_EVENTS = ["unload", "error", "unhandledrejection"] as const;
