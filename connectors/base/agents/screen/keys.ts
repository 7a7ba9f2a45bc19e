/** A key, or a text that was typed or pasted. */
export type Key =
  | { readonly kind: "key"; readonly name: KeyName }
  | { readonly kind: "text"; readonly text: string };

export type KeyName =
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "page-up"
  | "page-down"
  | "delete"
  | "enter"
  | "tab"
  | "back-tab"
  | "escape"
  | "backspace"
  | "ctrl-a"
  | "ctrl-c"
  | "ctrl-d"
  | "ctrl-e"
  | "ctrl-k"
  | "ctrl-l"
  | "ctrl-n"
  | "ctrl-p"
  | "ctrl-u"
  | "ctrl-w"
  | "ctrl-z";

const SINGLE: Record<string, KeyName> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x01": "ctrl-a",
  "\x03": "ctrl-c",
  "\x04": "ctrl-d",
  "\x05": "ctrl-e",
  "\x0b": "ctrl-k",
  "\x0c": "ctrl-l",
  "\x0e": "ctrl-n",
  "\x10": "ctrl-p",
  "\x15": "ctrl-u",
  "\x17": "ctrl-w",
  "\x1a": "ctrl-z",
};

/** After `ESC [` or `ESC O`, without parameters. */
const FINAL: Record<string, KeyName> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  Z: "back-tab",
  M: "enter",
};

/** `ESC [ number ~`. */
const NUMBERED: Record<string, KeyName> = {
  1: "home",
  3: "delete",
  4: "end",
  5: "page-up",
  6: "page-down",
  7: "home",
  8: "end",
};

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** A paste that never ends must not fill the memory. */
const MAX_PASTE = 256 * 1024;

// deno-lint-ignore no-control-regex -- keys are control sequences
const SEQUENCE = /^\x1b(?:\[([0-?]*)[ -/]*([@-~])|O([ -~]))/;
// deno-lint-ignore no-control-regex -- the beginning of one
const UNFINISHED = /^\x1b(?:\[[0-?]*[ -/]*|O)?$/;
// deno-lint-ignore no-control-regex -- everything else is typed text
const TYPED = /^[^\u0000-\u001f\u007f-\u009f]+/;

/** Turns what a terminal sends into keys. A sequence may come in pieces. */
export class KeyDecoder {
  #rest = "";
  readonly #decoder = new TextDecoder();

  push(bytes: Uint8Array): Key[] {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    return this.#decode(false);
  }

  /** Whether more may follow: an escape key alone looks like the beginning of another key. */
  get isUnfinished(): boolean {
    return this.#rest !== "" && !this.#rest.startsWith(PASTE_START);
  }

  /** Nothing has followed: takes what is left as it is. */
  flush(): Key[] {
    return this.isUnfinished ? this.#decode(true) : [];
  }

  #decode(all: boolean): Key[] {
    const keys: Key[] = [];
    while (this.#rest !== "") {
      const length = this.#next(keys, all);
      if (length === 0) break;
      this.#rest = this.#rest.slice(length);
    }
    return keys;
  }

  /** Adds the next key, and returns how many characters it has; 0 if more must follow. */
  #next(keys: Key[], all: boolean): number {
    const rest = this.#rest;
    const [typed] = TYPED.exec(rest) ?? [];
    if (typed !== undefined) {
      // Letter by letter: each can be a command.
      for (const text of typed) keys.push({ kind: "text", text });
      return typed.length;
    }
    if (rest.startsWith(PASTE_START)) return this.#paste(keys);
    const sequence = SEQUENCE.exec(rest);
    if (sequence !== null) {
      const [whole, parameters = "", final = "", afterO = ""] = sequence;
      const number = parameters.split(";", 1)[0] ?? "";
      const name = final === "~" ? NUMBERED[number] : FINAL[final || afterO];
      if (name !== undefined) keys.push({ kind: "key", name });
      return whole.length;
    }
    if (!all && UNFINISHED.test(rest)) return 0;
    const first = rest.charAt(0);
    const name = first === "\x1b" ? "escape" : SINGLE[first];
    if (name !== undefined) keys.push({ kind: "key", name });
    return 1;
  }

  #paste(keys: Key[]): number {
    const end = this.#rest.indexOf(PASTE_END);
    if (end < 0 && this.#rest.length < MAX_PASTE) return 0;
    const text = this.#rest.slice(PASTE_START.length, end < 0 ? undefined : end);
    keys.push({ kind: "text", text });
    return end < 0 ? this.#rest.length : end + PASTE_END.length;
  }
}
