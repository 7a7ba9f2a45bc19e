/**
 * This many letters and digits in a row are a part of the key. Fewer may be its
 * prefix, `sig_sk_` and 12 digits, which a list of keys has to show.
 */
const PART = 20;
/** A key that is shorter than a part is searched as a whole; below this, ordinary text would match. */
const SHORTEST = 8;

/**
 * Removes a key from text that a daemon sent, in whatever form it echoes it: whole
 * or in part, in upper case, with other characters in between, as hex, with percent
 * or `\x` or `\u` escapes, in Base64, backwards.
 */
export class KeyRedactor {
  /** The parts of the key by their hash, in each form. */
  readonly #parts = new Map<number, Set<string>>();
  readonly #length: number;
  /** Each part of a form contains at least one of its blocks. */
  readonly #blocks: string[] = [];
  readonly #forms: string[] = [];

  constructor(key: string) {
    const plain = onlyLetters(key);
    this.#length = plain.length < SHORTEST ? 0 : Math.min(PART, plain.length);
    if (this.#length === 0) return;
    const size = Math.ceil(this.#length / 2);
    for (const form of forms(key)) {
      const letters = onlyLetters(form);
      this.#forms.push(letters);
      for (let at = 0; at + size <= letters.length; at += size) {
        this.#blocks.push(letters.slice(at, at + size));
      }
    }
  }

  /** The text with `…` in place of the key. Linear: a rolling hash finds the parts. */
  redact(text: string): string {
    const length = this.#length;
    if (length === 0 || text.length < length || !this.mayContain(text)) return text;
    if (this.#parts.size === 0) this.#forms.forEach((form) => this.#addParts(form));
    const { text: letters, places } = compact(text);
    if (letters.length < length) return text;
    const pieces: string[] = [];
    let from = 0;
    /** The last part that was found covers the letters before this one. */
    let covered = 0;
    let hash = 0;
    for (let end = 0; end < letters.length; end++) {
      hash = Math.imul(hash, BASE) + letters.charCodeAt(end) | 0;
      if (end >= length) hash = hash - Math.imul(letters.charCodeAt(end - length), power(length)) | 0;
      const start = end + 1 - length;
      if (start < 0 || !this.#parts.get(hash)?.has(letters.slice(start, end + 1))) continue;
      if (start >= covered) pieces.push(text.slice(from, places[start]), "…");
      covered = end + 1;
      from = (places[end] ?? 0) + 1;
    }
    return pieces.length === 0 ? text : pieces.join("") + text.slice(from);
  }

  /**
   * Whether the text may contain a part of the key; if not, it certainly does not. With
   * V8's own search: the loop above costs 10 ms in a process that has just started.
   */
  mayContain(text: string): boolean {
    const letters = onlyLetters(text);
    return this.#blocks.some((block) => letters.includes(block));
  }

  #addParts(form: string): void {
    for (let start = 0; start + this.#length <= form.length; start++) {
      const part = form.slice(start, start + this.#length);
      let hash = 0;
      for (let at = 0; at < part.length; at++) hash = Math.imul(hash, BASE) + part.charCodeAt(at) | 0;
      const known = this.#parts.get(hash);
      if (known === undefined) this.#parts.set(hash, new Set([part]));
      else known.add(part);
    }
  }
}

const BASE = 0x01000193;
const POWERS = new Map<number, number>();

function power(length: number): number {
  let value = POWERS.get(length);
  if (value === undefined) {
    value = 1;
    for (let i = 0; i < length; i++) value = Math.imul(value, BASE);
    POWERS.set(length, value);
  }
  return value;
}

function onlyLetters(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, "").toLowerCase();
}

/** The letters and digits of a text in lower case, and where each of them is. */
function compact(text: string): { text: string; places: Int32Array } {
  const codes = new Uint8Array(text.length);
  const places = new Int32Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const lower = code >= 0x41 && code <= 0x5a ? code + 32 : code;
    if (!(lower >= 0x61 && lower <= 0x7a) && !(code >= 0x30 && code <= 0x39)) continue;
    codes[length] = lower;
    places[length] = at;
    length++;
  }
  return { text: new TextDecoder().decode(codes.subarray(0, length)), places };
}

function forms(key: string): string[] {
  const bytes = [...new TextEncoder().encode(key)];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
  const binary = String.fromCharCode(...bytes);
  return [
    key,
    [...key].reverse().join(""),
    hex.join(""),
    hex.map((pair) => `x${pair}`).join(""),
    hex.map((pair) => `u00${pair}`).join(""),
    ...["", "0", "00"].map((before) => base64(before + binary, before.length)),
  ];
}

/** Without the characters that depend on what comes before and after the key. */
function base64(binary: string, before: number): string {
  return btoa(binary).replaceAll("=", "").slice(before === 0 ? 0 : before + 1, -1);
}
