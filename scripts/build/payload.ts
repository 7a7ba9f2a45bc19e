// What `deno compile` of Deno 2.7.11 appends to denort ends in 16 bytes: two marks and
// the length of everything appended, all little-endian.
const TRAILER = 16;
const MARK_A = 0x501e;
const MARK_B = 0x2a7;

/** The runtime at the start of a program that `deno compile` made. */
export function stripPayload(program: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const at = program.byteLength - TRAILER;
  if (at < 0) throw new Error("The program is too short to be made by deno compile.");
  const trailer = new DataView(program.buffer, program.byteOffset + at, TRAILER);
  const appended = Number(trailer.getBigUint64(8, true));
  const marked = trailer.getUint32(0, true) === MARK_A && trailer.getUint32(4, true) === MARK_B;
  if (!marked || appended < TRAILER || appended >= program.byteLength) {
    throw new Error("The program does not end as one made by deno compile 2.7.11 does.");
  }
  return program.subarray(0, program.byteLength - appended);
}
