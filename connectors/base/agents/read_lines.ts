/** A longer line is not from us. */
const MAX_LINE = 1024 * 1024;
const CHUNK = 256 * 1024;
const NEWLINE = 10;

/** A line of a file, and the position after it. */
export interface Line {
  /** Undefined if it is too long to be one of ours. */
  readonly text: string | undefined;
  readonly end: number;
}

/** The complete lines of a file from a position on. A last line without its end is still being written. */
export function* readLines(file: Deno.FsFile, from: number): Generator<Line> {
  const decoder = new TextDecoder();
  const chunk = new Uint8Array(CHUNK);
  file.seekSync(from, Deno.SeekMode.Start);
  let rest = new Uint8Array();
  let isTooLong = false;
  let end = from;
  for (let size = file.readSync(chunk); size !== null; size = file.readSync(chunk)) {
    const bytes = joined(rest, chunk.subarray(0, size));
    let start = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
      end += at + 1 - start;
      yield { text: isTooLong ? undefined : decoder.decode(bytes.subarray(start, at)), end };
      isTooLong = false;
      start = at + 1;
    }
    rest = bytes.slice(start);
    if (rest.length <= MAX_LINE) continue;
    end += rest.length;
    rest = new Uint8Array();
    isTooLong = true;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
