import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types";
import { record } from "../memory/daemon.ts";

/** A longer line is dropped and answered with an error. */
const MOST_LINE_BYTES = 32 * 1024 * 1024;
const NEWLINE = 10;

/**
 * JSON-RPC, one message per line. The SDK's stdio transport closes the
 * connection on a line over 10 MB and does not notice when the client is gone.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  /** Resolves when the client closes its end: no more requests will arrive. */
  readonly ended: Promise<void>;
  #end: () => void = () => {};
  #writing: Promise<boolean> = Promise.resolve(true);
  #closed = false;
  #stopped = false;
  /** Requests that have no response yet. */
  readonly #open = new Set<unknown>();
  #onIdle: () => void = () => {};
  readonly #afterAnswer = new Map<unknown, () => void>();
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;

  constructor(input: ReadableStream<Uint8Array>, output: WritableStream<Uint8Array>) {
    this.ended = new Promise((resolve) => this.#end = resolve);
    this.#reader = input.getReader();
    this.#writer = output.getWriter();
    // The only sign of a client that exits while nothing is being written.
    this.#writer.closed.catch(() => this.#end());
  }

  start(): Promise<void> {
    this.#read().catch((error) => this.onerror?.(error)).finally(() => this.#end());
    return Promise.resolve();
  }

  async #read(): Promise<void> {
    let parts: Uint8Array[] = [];
    let size = 0;
    while (!this.#stopped) {
      const { done, value } = await this.#reader.read();
      if (done) return;
      let from = 0;
      for (let at = value.indexOf(NEWLINE); at >= 0; at = value.indexOf(NEWLINE, from)) {
        parts.push(value.subarray(from, at));
        size += at - from;
        from = at + 1;
        this.#line(parts, size);
        parts = [];
        size = 0;
      }
      size += value.length - from;
      // An oversized line is counted, not buffered.
      if (size <= MOST_LINE_BYTES) parts.push(value.slice(from));
      else parts = [];
    }
  }

  #line(parts: readonly Uint8Array[], size: number): void {
    if (size > MOST_LINE_BYTES) {
      return this.#refuse(
        -32600,
        `A message may have at most ${MOST_LINE_BYTES} bytes; this one had ${size}`,
      );
    }
    const text = decode(parts).trim();
    if (text === "") return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#refuse(-32700, "The line is not JSON");
    }
    if (!isMessage(value)) return this.#refuse(-32600, "The line is not a JSON-RPC 2.0 message");
    this.#track(value);
    this.onmessage?.(value);
  }

  #track(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#open.add(message.id);
    // A cancelled request gets no response.
    else if (message.method === "notifications/cancelled") this.#done(message.params?.requestId);
  }

  #done(id: unknown): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#onIdle();
  }

  /** The request is unknown, so JSON-RPC requires a null id. */
  #refuse(code: number, message: string): void {
    this.#write({ jsonrpc: "2.0", id: null, error: { code, message } });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const written = await this.#write(message);
    if ("method" in message) return;
    const after = this.#afterAnswer.get(message.id);
    this.#afterAnswer.delete(message.id);
    if (written) after?.();
    this.#done(message.id);
  }

  /** Calls `done` once the answer to a request was written; never if it could not be written. */
  afterAnswer(id: string | number, done: () => void): void {
    this.#afterAnswer.set(id, done);
  }

  /** Waits until every request is answered, or until the time is up. */
  async idle(ms: number): Promise<void> {
    if (this.#open.size === 0) return;
    let timer: number | undefined;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  /** Accepts no more requests; pending ones may still be answered. */
  stop(): void {
    this.#stopped = true;
    this.#end();
  }

  /** Whether it was written. */
  #write(message: object): Promise<boolean> {
    const bytes = new TextEncoder().encode(JSON.stringify(message) + "\n");
    return this.#writing = this.#writing.then(async () => {
      if (this.#closed) return false;
      try {
        await this.#writer.write(bytes);
        return true;
      } catch {
        // The client closed early (EPIPE).
        this.#end();
        return false;
      }
    });
  }

  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.stop();
      this.onclose?.();
    }
    return Promise.resolve();
  }
}

/** Checks the outer shape; the SDK's schemas check the rest. */
function isMessage(value: unknown): value is JSONRPCMessage {
  const message = record(value);
  if (message?.jsonrpc !== "2.0") return false;
  const { id, method, params, result, error } = message;
  if (id !== undefined && typeof id !== "string" && !Number.isInteger(id)) return false;
  if (method !== undefined) {
    return typeof method === "string" && (params === undefined || record(params) !== undefined);
  }
  return id !== undefined && (record(result) !== undefined || record(error) !== undefined);
}

function decode(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}
