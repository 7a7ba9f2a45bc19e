// The data that `deno compile` 2.7.11 appends to denort ends with 16 bytes: two magic numbers
// and the length of everything appended, all little-endian.
const TRAILER = 16;
const MAGIC_A = 0x501e;
const MAGIC_B = 0x2a7;

/** Extracts the runtime from a program made by `deno compile`. */
export function stripPayload(program: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const at = program.byteLength - TRAILER;
  if (at < 0) throw new Error("The program is too short to be an output of deno compile.");
  const trailer = new DataView(program.buffer, program.byteOffset + at, TRAILER);
  const appended = Number(trailer.getBigUint64(8, true));
  const marked = trailer.getUint32(0, true) === MAGIC_A && trailer.getUint32(4, true) === MAGIC_B;
  if (!marked || appended < TRAILER || appended >= program.byteLength) {
    throw new Error("The program does not have the trailer of deno compile 2.7.11.");
  }
  return program.subarray(0, program.byteLength - appended);
}
