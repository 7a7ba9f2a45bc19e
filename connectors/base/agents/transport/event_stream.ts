/** A longer event is not the daemon's: a snapshot of 20 messages has less than 2 MB. */
const MAX_EVENT_CHARS = 8 * 1024 * 1024;

/**
 * The JSON values of a stream of server-sent events, one per event. What is not
 * JSON, such as a keepalive, only calls `onBytes`. Ends with the stream or the signal; throws if it breaks.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  options: { onBytes?: () => void; signal?: AbortSignal } = {},
): AsyncGenerator<unknown> {
  const { onBytes, signal } = options;
  const reader = body.getReader();
  // Deno 2.7 drops the signal of a fetch once it has the headers and memory is collected.
  const cancel = () => void reader.cancel().catch(() => {});
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    yield* parseEvents(reader, onBytes);
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

async function* parseEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  for (;;) {
    const { done, value: chunk } = await reader.read();
    if (done) return;
    onBytes();
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length > MAX_EVENT_CHARS) throw new Error("An event of the stream is too large.");
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      if (line !== "") continue;
      const value = parse(data.join("\n"));
      data = [];
      if (value !== undefined) yield value;
    }
  }
}

function parse(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
