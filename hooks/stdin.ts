import { parseObject } from "./json.ts";

/** The plugins send less than this, and a harness's prompts are far smaller. */
const MAX_INPUT_BYTES = 16 * 1024 * 1024;
/** Above this, parsing after each chunk would cost more than it saves. */
const EAGER_BYTES = 256 * 1024;
/** A harness that writes single bytes must not cost a parse for each of them. */
const EAGER_TRIES = 50;
/** A smaller chunk is copied, so that it does not keep a whole buffer alive. */
const COPY_BYTES = 4096;

export interface Source {
  isTerminal(): boolean;
  read(into: Uint8Array): Promise<number | null>;
}

export type Input =
  | { kind: "object"; value: Record<string, unknown> }
  | { kind: "none"; why: "terminal" | "empty" | "not an object" | "too large" | "never closed" };

/**
 * Reads one JSON object from stdin, until it is complete, EOF, or the deadline.
 * Excess input is read and discarded, so that the harness's write does not fail.
 */
export async function readInput(source: Source, deadlineMs: number): Promise<Input> {
  try {
    if (source.isTerminal()) return { kind: "none", why: "terminal" };
  } catch {
    return { kind: "none", why: "empty" };
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) =>
    timer = setTimeout(() => resolve("late"), Math.max(1, deadlineMs))
  );
  const chunks: Uint8Array[] = [];
  let size = 0;
  let tries = 0;
  let buffer = new Uint8Array(65_536);
  try {
    while (true) {
      const n = await Promise.race([source.read(buffer), late]);
      if (n === "late") {
        const complete = size <= MAX_INPUT_BYTES ? parse(chunks) : undefined;
        return complete ?? { kind: "none", why: "never closed" };
      }
      if (n === null) break;
      size += n;
      if (size > MAX_INPUT_BYTES) {
        chunks.length = 0;
        continue;
      }
      const chunk = n < COPY_BYTES ? buffer.slice(0, n) : buffer.subarray(0, n);
      if (n >= COPY_BYTES) buffer = new Uint8Array(65_536);
      chunks.push(chunk);
      // A harness that never closes the pipe (Signet's #890) need not cost the
      // deadline: a complete object is the whole input.
      if (size <= EAGER_BYTES && endsLikeObject(chunk) && tries++ < EAGER_TRIES) {
        const complete = parse(chunks);
        if (complete) return complete;
      }
    }
  } catch {
    // Treat a broken pipe as EOF.
  } finally {
    clearTimeout(timer);
  }
  if (size > MAX_INPUT_BYTES) return { kind: "none", why: "too large" };
  if (size === 0) return { kind: "none", why: "empty" };
  return parse(chunks) ?? { kind: "none", why: "not an object" };
}

function endsLikeObject(chunk: Uint8Array): boolean {
  let i = chunk.length - 1;
  while (i >= 0 && (chunk[i] === 0x0a || chunk[i] === 0x0d || chunk[i] === 0x20)) i--;
  return chunk[i] === 0x7d;
}

function parse(chunks: Uint8Array[]): Input | undefined {
  const decoder = new TextDecoder();
  const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
  const value = parseObject(text);
  return value === undefined ? undefined : { kind: "object", value };
}
