import { formatSSEEvent, SSE_HEADERS } from "@a2a-js/sdk";

/** Proxies close a connection that is silent for a minute. */
const BEAT_MS = 15_000;

export interface EventResponse<T> {
  readonly events: AsyncGenerator<T, unknown, undefined>;
  encode(event: T): unknown;
  encodeError(error: unknown): unknown;
  /** Called when the client is gone, so that a generator that waits can end. */
  gone(): void;
  /** Called once, when nothing more is sent. */
  over(): void;
}

/**
 * Sends events as they come. The first one is taken before the answer begins, so
 * that a call that fails has the status of its error: the caller handles the throw.
 */
export async function eventResponse<T>(options: EventResponse<T>): Promise<Response> {
  const { events, encode, encodeError, gone, over } = options;
  let first: IteratorResult<T, unknown>;
  try {
    first = await events.next();
  } catch (error) {
    over();
    throw error;
  }
  const encoder = new TextEncoder();
  let beat = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      beat = setInterval(() => attempt(() => send(": beat\n\n")), BEAT_MS);
      void (async () => {
        try {
          for (let next = first; next.done !== true; next = await events.next()) {
            send(formatSSEEvent(encode(next.value)));
          }
        } catch (error) {
          attempt(() => send(formatSSEEvent(encodeError(error))));
        } finally {
          clearInterval(beat);
          over();
          attempt(() => controller.close());
        }
      })();
    },
    cancel() {
      clearInterval(beat);
      gone();
    },
  });
  return new Response(body, { headers: { ...SSE_HEADERS } });
}

/** The client may have closed the connection first. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Nobody listens any more.
  }
}
