import type { Json } from "./edit.ts";
import { type ConfigError, configError, type Entry, type Node } from "./tree.ts";

/** What a dialect of JSON allows beyond the strict one. */
export interface Allows {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
  /** Unquoted keys, single quotes, hex numbers and the rest of JSON5. */
  readonly json5: boolean;
}

const NONE: readonly never[] = [];
const IDENTIFIER = /[$_\p{ID_Start}\u200C\u200D][$_\p{ID_Continue}\u200C\u200D]*/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER5 = /[+-]?(?:Infinity|NaN|0[xX][\da-fA-F]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y;
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const PLAIN = { "double": /[^"\\\n\r\u0000-\u001f]*/y, "single": /[^'\\\n\r]*/y, "double5": /[^"\\\n\r]*/y };
const ESCAPES: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "0": "\0" };
const DEEPEST = 500;

/**
 * Reads JSON, JSONC and JSON5 into one tree with offsets. The npm readers gave
 * two trees of different shape, and the JSON5 one took half a second for a
 * megabyte; independent parsers check every result of this one (verify.ts).
 */
export function readJson(text: string, allows: Allows): Node {
  let at = text.startsWith("\uFEFF") ? 1 : 0;

  const fail = (message: string, offset = at): ConfigError => configError(text, offset, message);
  const isSpace = (code: number) =>
    code === 32 || code === 10 || code === 13 || code === 9 ||
    (allows.json5 &&
      (code === 11 || code === 12 || code === 0xA0 || code === 0xFEFF || code === 0x2028 || code === 0x2029 ||
        (code > 127 && /\p{Zs}/u.test(String.fromCharCode(code)))));

  function trivia(): void {
    for (;;) {
      while (at < text.length && isSpace(text.charCodeAt(at))) at++;
      if (text[at] !== "/") return;
      const next = text[at + 1];
      if (next !== "/" && next !== "*") return;
      if (!allows.comments) throw fail("strict JSON does not allow comments");
      if (next === "/") {
        const stop = /[\n\r\u2028\u2029]/g;
        stop.lastIndex = at;
        at = stop.exec(text)?.index ?? text.length;
      } else {
        const end = text.indexOf("*/", at + 2);
        if (end === -1) throw fail("a comment is not closed");
        at = end + 2;
      }
    }
  }

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  }

  function string(): string {
    const opened = at;
    const quote = text.charAt(at++);
    const plain = PLAIN[quote === "'" ? "single" : allows.json5 ? "double5" : "double"];
    let out = "";
    for (;;) {
      const run = match(plain) ?? "";
      out += run;
      at += run.length;
      if (text[at] === quote) {
        at++;
        return out;
      }
      if (text[at] !== "\\") throw fail("a string is not closed on its line", at < text.length ? at : opened);
      out += escape();
    }
  }

  function escape(): string {
    const letter = text.charAt(++at);
    at++;
    if (letter === "u" || (letter === "x" && allows.json5)) {
      const digits = text.slice(at, at + (letter === "u" ? 4 : 2));
      if (!/^[\da-fA-F]+$/.test(digits) || digits.length < (letter === "u" ? 4 : 2)) {
        throw fail("a \\u escape needs four hex digits");
      }
      at += digits.length;
      return String.fromCharCode(parseInt(digits, 16));
    }
    if ('"\\/'.includes(letter) && letter !== "") return letter;
    if ("bfnrt".includes(letter) && letter !== "") return ESCAPES[letter] ?? "";
    if (!allows.json5 || letter === "") throw fail(`\\${letter} is not a valid JSON escape`, at - 1);
    if (letter === "\r" && text[at] === "\n") at++;
    if (/[\n\r\u2028\u2029]/.test(letter)) return "";
    if (/[1-9]/.test(letter) || (letter === "0" && /\d/.test(text.charAt(at)))) {
      throw fail(`\\${letter} is not a valid JSON5 escape`, at - 1);
    }
    return ESCAPES[letter] ?? letter;
  }

  function key(): string {
    if (text[at] === '"' || (text[at] === "'" && allows.json5)) return string();
    if (allows.json5) {
      let name = "";
      for (;;) {
        const run = match(IDENTIFIER) ?? (name ? match(/[$\p{ID_Continue}\u200C\u200D]+/uy) : undefined);
        if (run) {
          name += run;
          at += run.length;
        } else if (text.startsWith("\\u", at)) name += escape();
        else break;
      }
      if (name) return name;
    }
    throw fail(
      at >= text.length ? "the file ends inside an object" : `expected a key, found ${shown()}`,
    );
  }

  const shown = () => at >= text.length ? "the end of the file" : JSON.stringify(text.slice(at, at + 1));

  function scalar(start: number, value: Json): Node {
    return { kind: "scalar", start, end: at, scalar: value, entries: NONE, items: NONE, bracketed: true };
  }

  function value(depth: number): Node {
    if (depth > DEEPEST) throw fail(`it is nested more than ${DEEPEST} levels deep`);
    const start = at;
    const letter = text[at];
    if (letter === "{" || letter === "[") return container(letter, depth);
    if (letter === '"' || (letter === "'" && allows.json5)) return scalar(start, string());
    for (const [word, meaning] of [["true", true], ["false", false], ["null", null]] as const) {
      if (text.startsWith(word, at) && !/[\w$]/.test(text.charAt(at + word.length))) {
        at += word.length;
        return scalar(start, meaning);
      }
    }
    const digits = match(allows.json5 ? NUMBER5 : NUMBER);
    if (!digits || /[\w$.]/.test(text.charAt(at + digits.length))) {
      throw fail(`expected a value, found ${shown()}`);
    }
    at += digits.length;
    const sign = digits.startsWith("-") ? -1 : 1;
    return scalar(start, sign * Number(digits.replace(/^[+-]/, "")));
  }

  function container(bracket: "{" | "[", depth: number): Node {
    const start = at++;
    const entries: Entry[] = [];
    const items: Node[] = [];
    const close = bracket === "{" ? "}" : "]";
    const keys = new Set<string>();
    trivia();
    while (text[at] !== close) {
      if (bracket === "{") {
        const keyStart = at;
        const name = key();
        if (keys.has(name)) {
          throw fail(`duplicate key ${JSON.stringify(name)}`, keyStart);
        }
        keys.add(name);
        trivia();
        if (text[at] !== ":") throw fail(`expected a colon, found ${shown()}`);
        at++;
        trivia();
        entries.push({ key: name, start: keyStart, value: value(depth + 1) });
      } else items.push(value(depth + 1));
      trivia();
      if (text[at] === close) break;
      if (text[at] !== ",") throw fail(`expected a comma or ${close}, found ${shown()}`);
      const comma = at++;
      trivia();
      if (text[at] === close && !allows.trailingCommas) {
        throw fail("strict JSON does not allow a trailing comma", comma);
      }
    }
    at++;
    return { kind: bracket === "{" ? "map" : "list", start, end: at, entries, items, bracketed: true };
  }

  trivia();
  if (at >= text.length) {
    // Nothing at all, or comments alone: a place to begin.
    return { kind: "scalar", start: at, end: at, scalar: null, entries: NONE, items: NONE, bracketed: true };
  }
  const root = value(0);
  trivia();
  if (at < text.length) throw fail(`expected the end of the file, found ${shown()}`);
  return root;
}
