const CHUNK = 256 * 1024;
/** A line beyond this is a stored prompt or an image, never a message. */
const MAX_LINE = 1024 * 1024;

export interface TailFile {
  size: number;
  /** Fills the buffer from the offset; less only at the end of the file. */
  read(into: Uint8Array, offset: number): Promise<number>;
}

/** An open file, to be read from its end. */
export function tailFile(file: Deno.FsFile, size: number): TailFile {
  return {
    size,
    async read(into, offset) {
      await file.seek(offset, Deno.SeekMode.Start);
      let used = 0;
      while (used < into.length) {
        const n = await file.read(into.subarray(used));
        if (n === null) break;
        used += n;
      }
      return used;
    },
  };
}

/**
 * The lines of a file that are not empty, last first. Reads backwards, so that the size of a transcript
 * does not matter. Lines that are appended meanwhile are not read.
 */
export async function* tailLines(file: TailFile, maxBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const floor = Math.max(0, file.size - maxBytes);
  let end = file.size;
  /** The bytes of the line whose start is not read yet, in order. */
  let carry: Uint8Array[] = [];
  let carried = 0;
  const line = () => {
    const text = carried <= MAX_LINE ? decoder.decode(concat(carry, carried)) : "";
    carry = [];
    carried = 0;
    return text;
  };
  while (end > floor) {
    const start = Math.max(floor, end - CHUNK);
    const buffer = new Uint8Array(end - start);
    const n = await file.read(buffer, start);
    // The file was truncated meanwhile, so the offsets are no longer valid.
    if (n < buffer.length) return;
    let stop = buffer.length;
    for (
      let at = buffer.lastIndexOf(0x0a);
      at !== -1;
      at = at === 0 ? -1 : buffer.lastIndexOf(0x0a, at - 1)
    ) {
      hold(buffer.subarray(at + 1, stop));
      // Empty lines have no message, and there may be millions.
      if (carried > 0) yield line();
      stop = at;
    }
    hold(buffer.subarray(0, stop));
    end = start;
  }
  // The first line is whole only if the file was read to its beginning.
  if (floor === 0 && carried > 0) yield line();

  function hold(part: Uint8Array): void {
    carried += part.length;
    if (carried <= MAX_LINE) carry.unshift(part);
    else carry = [];
  }
}

function concat(parts: Uint8Array[], length: number): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
