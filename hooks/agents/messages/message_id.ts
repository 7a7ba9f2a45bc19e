import { fnv } from "../dir.ts";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const PATTERN = /^m_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

let lastAt = 0;
let lastRandom: number[] = [];

/** `m_` and a ULID: ids sort by time, and those of one process keep their order within a millisecond. */
export function newMessageId(now: number = Date.now()): string {
  if (now <= lastAt) {
    increment(lastRandom);
  } else {
    lastAt = now;
    lastRandom = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte & 31);
  }
  return `m_${timeDigits(lastAt)}${lastRandom.map((digit) => DIGITS[digit]).join("")}`;
}

/** The id of a message that came without one: the same for every copy of it. */
export function derivedMessageId(at: number, foreignId: string): string {
  const bits = [0x811c9dc5, 0x01000193, 0x2545f491].map((seed) => BigInt(`0x${fnv(foreignId, seed)}`));
  let value = bits.reduce((all, part) => (all << 32n) | part, 0n);
  let digits = "";
  for (let i = 0; i < 16; i++, value >>= 5n) digits = DIGITS[Number(value & 31n)] + digits;
  return `m_${timeDigits(at)}${digits}`;
}

/** Ids become file names, so nothing else is accepted. */
export function isMessageId(text: unknown): text is string {
  return typeof text === "string" && PATTERN.test(text);
}

/** When the message was written, in ms since 1970, by its sender's clock. */
export function messageTime(id: string): number {
  let at = 0;
  for (const digit of id.slice(2, 12)) at = at * 32 + DIGITS.indexOf(digit);
  return at;
}

function timeDigits(at: number): string {
  let rest = Math.min(Math.max(0, Math.trunc(at)), 2 ** 48 - 1);
  let digits = "";
  for (let i = 0; i < 10; i++) {
    digits = DIGITS[rest % 32] + digits;
    rest = Math.floor(rest / 32);
  }
  return digits;
}

function increment(digits: number[]): void {
  for (let i = digits.length - 1; i >= 0; i--) {
    const next = (digits[i] ?? 0) + 1;
    digits[i] = next % 32;
    if (next < 32) return;
  }
}
