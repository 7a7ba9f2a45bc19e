import { assertEquals, assertRejects } from "@std/assert";
import { readEvents } from "./event_stream.ts";

/** The events of a stream that arrives in these pieces. */
async function events(pieces: readonly (string | Uint8Array)[]): Promise<unknown[]> {
  const encoder = new TextEncoder();
  return await Array.fromAsync(readEvents(ReadableStream.from(
    pieces.map((piece) => typeof piece === "string" ? encoder.encode(piece) : piece),
  )));
}

const STREAM =
  ': open\n\ndata: {"a":1}\n\nid: 7\nevent: x\ndata: {"b":\ndata: "ü"}\r\n\r\n: beat\n\ndata: nonsense\n\ndata:[2]\r\n\n';

Deno.test("readEvents() reads events, and skips comments and what is not JSON", async () => {
  assertEquals(await events([STREAM]), [{ a: 1 }, { b: "ü" }, [2]]);
});

Deno.test("readEvents() reads the same events whatever pieces they arrive in", async () => {
  const bytes = new TextEncoder().encode(STREAM);
  for (let size = 1; size < bytes.length; size++) {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size));
    assertEquals(await events(pieces), [{ a: 1 }, { b: "ü" }, [2]], `pieces of ${size}`);
  }
});

Deno.test("readEvents() drops an event that breaks off, and refuses one that never ends", async () => {
  assertEquals(await events(['data: {"a":1}\n\ndata: {"b":2}']), [{ a: 1 }]);
  const flood = "x".repeat(1024 * 1024);
  await assertRejects(
    () => events(["data: ", ...Array.from({ length: 10 }, () => flood)]),
    Error,
    "too large",
  );
});

Deno.test("readEvents() stops with its signal, and closes the stream", async () => {
  const stop = new AbortController();
  let closed = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
    cancel: () => void (closed = true),
  });
  const seen: unknown[] = [];
  for await (const event of readEvents(body, { signal: stop.signal })) {
    seen.push(event);
    stop.abort();
  }
  assertEquals([seen, closed], [[1], true]);
});
