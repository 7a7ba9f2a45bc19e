// Written out because descriptors are synchronous and every hook loads them:
// crypto.subtle is asynchronous, and loading node:crypto would slow every prompt.

/** The first 32 bits of the fraction of a root: the source of the constants of SHA-256. */
function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime !== 0)) PRIMES.push(n);
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** The SHA-256 of a text's UTF-8 bytes, in hex. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = Uint32Array.from(START);
  const w = new Uint32Array(64);
  const at = (array: Uint32Array, index: number) => array[index] ?? 0;
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i++) {
      const before = at(w, i - 15), later = at(w, i - 2);
      w[i] = i < 16
        ? view.getUint32(block + i * 4)
        : at(w, i - 16) + (rotate(before, 7) ^ rotate(before, 18) ^ (before >>> 3)) +
          at(w, i - 7) + (rotate(later, 17) ^ rotate(later, 19) ^ (later >>> 10));
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i++) {
      const one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) +
        (ROUNDS[i] ?? 0) +
        at(w, i);
      const two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => state[i] = at(state, i) + word);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}
