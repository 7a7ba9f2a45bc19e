import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types";
import { record } from "../memory/daemon.ts";

/** A client that sends more than this in one line is broken; it is told so, and the line is dropped. */
const MOST_LINE_BYTES = 32 * 1024 * 1024;
const NEWLINE = 10;

/**
 * JSON-RPC, one message per line. The SDK's own stdio transport closes the
 * connection on a line over 10 MB and does not notice a reader that went away.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  /** Resolves when the client closed its end: nothing more will be asked. */
  readonly ended: Promise<void>;
  #end: () => void = () => {};
  #writing: Promise<void> = Promise.resolve();
  #closed = false;
  #stopped = false;
  /** Requests that have no answer yet. */
  readonly #open = new Set<unknown>();
  #onIdle: () => void = () => {};
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;

  constructor(input: ReadableStream<Uint8Array>, output: WritableStream<Uint8Array>) {
    this.ended = new Promise((resolve) => this.#end = resolve);
    this.#reader = input.getReader();
    this.#writer = output.getWriter();
    // A reader that goes away while nothing is being written shows up here only.
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
      // An endless line is counted, not collected.
      if (size <= MOST_LINE_BYTES) parts.push(value.slice(from));
      else parts = [];
    }
  }

  #line(parts: readonly Uint8Array[], size: number): void {
    if (size > MOST_LINE_BYTES) {
      return this.#refuse(-32600, `A message may have ${MOST_LINE_BYTES} bytes, and this had ${size}`);
    }
    const text = decode(parts).trim();
    if (text === "") return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#refuse(-32700, "A line was not JSON");
    }
    if (!isMessage(value)) return this.#refuse(-32600, "A line was not a JSON-RPC 2.0 message");
    this.#note(value);
    this.onmessage?.(value);
  }

  #note(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#open.add(message.id);
    // A cancelled request gets no answer.
    else if (message.method === "notifications/cancelled") this.#done(message.params?.requestId);
  }

  #done(id: unknown): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#onIdle();
  }

  /** Nobody knows which request it was, so JSON-RPC wants a null id. */
  #refuse(code: number, message: string): void {
    this.#write({ jsonrpc: "2.0", id: null, error: { code, message } });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
    if (!("method" in message)) this.#done(message.id);
  }

  /** Every request is answered, or the time is up. */
  async idle(ms: number): Promise<void> {
    if (this.#open.size === 0) return;
    let timer: number | undefined;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  /** Takes no more requests; those under way may still be answered. */
  stop(): void {
    this.#stopped = true;
    this.#end();
  }

  #write(message: object): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify(message) + "\n");
    this.#writing = this.#writing.then(async () => {
      if (this.#closed) return;
      try {
        await this.#writer.write(bytes);
      } catch {
        // The client closed early (EPIPE). There is nobody left to tell.
        this.#end();
      }
    });
    return this.#writing;
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

/** The outer shape; the SDK checks the rest of what it handles with its schemas. */
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
