/** A stream of server-sent events. It ends when the client disconnects or the server stops. */
export function eventStream(
  stop: AbortSignal,
  start: (send: (data: unknown, id?: number | string) => void) => () => void,
): Response {
  const encoder = new TextEncoder();
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        // Drop a client that stopped reading instead of buffering without limit.
        if ((controller.desiredSize ?? 0) < -2000) return end();
        controller.enqueue(encoder.encode(text));
      };
      let open = true;
      const beat = setInterval(() => write(": beat\n\n"), 15_000);
      write(": open\n\n");
      const unlisten = start((data, id) => {
        const head = id === undefined ? "" : `id: ${id}\n`;
        write(`${head}data: ${JSON.stringify(data)}\n\n`);
      });
      end = () => {
        if (!open) return;
        open = false;
        clearInterval(beat);
        unlisten();
        stop.removeEventListener("abort", end);
        try {
          controller.close();
        } catch {
          // The client disconnected first.
        }
      };
      if (stop.aborted) end();
      else stop.addEventListener("abort", end);
    },
    cancel: () => end(),
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}
