import { parseObject } from "../../../hooks/json.ts";
import { listenAgain } from "../listen_again.ts";

/** How a server can fail a client. */
export type Fault =
  | "ok"
  /** Close the connection before a byte is answered. */
  | "reset"
  /** Take effect, and close half-way through the answer. */
  | "reset after"
  /** Accept and never answer. */
  | "hang"
  /** One byte a second. */
  | "drip"
  /** A body that never ends. */
  | "endless"
  | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> };

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The body as an object; empty if it was none. */
  readonly body: Record<string, unknown>;
}

const JSON_TYPE = "application/json";

/**
 * A daemon that misbehaves on command, on a plain socket, so that it can break
 * HTTP in ways that a server library would not let it. It counts effects as
 * Signet B does: a session ends once, a memory with one key is kept once.
 */
export class FaultyDaemon {
  readonly received: Received[] = [];
  /** Session-ends that took effect, by session, and how often each was requested. */
  readonly ended = new Map<string, { asked: number; keys: Set<string> }>();
  faults = 0;
  /** What to do with a request; by default it is answered. */
  respond: (request: Received) => Fault = () => "ok";
  /** A good answer's body. */
  answer: (request: Received) => unknown = () => ({
    inject: "",
    memoriesSaved: 0,
    queued: false,
    success: true,
    id: "memory",
    sessionKnown: true,
  });
  #listener: Deno.TcpListener;
  readonly #open = new Set<Deno.TcpConn>();
  readonly #serving = new Set<Promise<void>>();
  readonly #pauses = new Map<number, () => void>();
  readonly port: number;

  constructor(port = 0) {
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port });
    this.port = this.#listener.addr.port;
    this.#accept(this.#listener);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** From now on connections are refused, and those that hang are cut. */
  stop(): void {
    try {
      this.#listener.close();
    } catch {
      // Stopped already.
    }
    for (const conn of this.#open) close(conn);
    this.#open.clear();
    for (const [timer, resume] of this.#pauses) {
      clearTimeout(timer);
      resume();
    }
    this.#pauses.clear();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#pauses.delete(timer);
        resolve();
      }, ms);
      this.#pauses.set(timer, resolve);
    });
  }

  /** Listens on the same port again, as soon as the system frees it. */
  async start(): Promise<void> {
    this.#listener = await listenAgain(() => Deno.listen({ hostname: "127.0.0.1", port: this.port }));
    this.#accept(this.#listener);
  }

  /** Waits for what it was writing: to a test that comes next, that would look like a leak. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await Promise.all(this.#serving);
  }

  async #accept(listener: Deno.TcpListener): Promise<void> {
    try {
      for await (const conn of listener) {
        this.#open.add(conn);
        const served = this.#serve(conn).catch(() => close(conn)).finally(() => {
          this.#open.delete(conn);
          this.#serving.delete(served);
        });
        this.#serving.add(served);
      }
    } catch {
      // Stopped while it waited.
    }
  }

  async #serve(conn: Deno.TcpConn): Promise<void> {
    const request = await readRequest(conn);
    if (request === undefined) return close(conn);
    this.received.push(request);
    const fault = this.respond(request);
    if (fault !== "ok") this.faults++;
    if (fault === "hang") return await this.#pause(3_600_000);
    if (fault === "reset") return close(conn);
    if (fault === "drip") return await drip(conn, () => this.#pause(1000));
    if (fault === "endless") return await endless(conn);
    if (typeof fault === "object") return await reply(conn, fault.status, fault.body, fault.headers);
    this.#effect(request);
    const body = JSON.stringify(await this.answer(request));
    if (fault === "ok") return await reply(conn, 200, body);
    await send(
      conn,
      `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${body.length}\r\n\r\n{"mem`,
    );
    close(conn);
  }

  #effect(request: Received): void {
    const { sessionKey } = request.body;
    if (request.path !== "/api/hooks/session-end" || typeof sessionKey !== "string") return;
    const ended = this.ended.get(sessionKey) ?? { asked: 0, keys: new Set() };
    ended.asked++;
    ended.keys.add(request.headers.get("idempotency-key") ?? "");
    this.ended.set(sessionKey, ended);
  }
}

function close(conn: Deno.TcpConn): void {
  try {
    conn.close();
  } catch {
    // The other side closed it first.
  }
}

async function send(conn: Deno.TcpConn, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let sent = 0; sent < bytes.length;) sent += await conn.write(bytes.subarray(sent));
}

async function reply(
  conn: Deno.TcpConn,
  status: number,
  body: string,
  headers: Record<string, string> = { "content-type": JSON_TYPE },
): Promise<void> {
  const length = new TextEncoder().encode(body).length;
  const lines = Object.entries({ ...headers, "content-length": `${length}`, connection: "close" })
    .map(([name, value]) => `${name}: ${value}\r\n`).join("");
  await send(conn, `HTTP/1.1 ${status} X\r\n${lines}\r\n${body}`);
  close(conn);
}

async function drip(conn: Deno.TcpConn, second: () => Promise<void>): Promise<void> {
  for (const byte of `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\n\r\n{}`) {
    await send(conn, byte);
    await second();
  }
}

async function endless(conn: Deno.TcpConn): Promise<void> {
  await send(conn, `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\n\r\n{"inject":"`);
  while (true) await send(conn, "x".repeat(65_536));
}

async function readRequest(conn: Deno.TcpConn): Promise<Received | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let head: { end: number; lines: string[]; length: number } | undefined;
  const buffer = new Uint8Array(65_536);
  while (head === undefined || size < head.end + head.length) {
    const n = await conn.read(buffer);
    if (n === null) return undefined;
    chunks.push(buffer.slice(0, n));
    size += n;
    head ??= parseHead(new TextDecoder("latin1").decode(concat(chunks, size)));
  }
  const [method = "", path = ""] = (head.lines[0] ?? "").split(" ");
  const text = new TextDecoder().decode(concat(chunks, size).subarray(head.end));
  return { method, path, headers: headersOf(head.lines), text, body: parseObject(text) ?? {} };
}

function parseHead(text: string): { end: number; lines: string[]; length: number } | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const lines = text.slice(0, end).split("\r\n");
  return { end: end + 4, lines, length: Number(headersOf(lines).get("content-length") ?? 0) };
}

function headersOf(lines: string[]): Map<string, string> {
  return new Map(
    lines.slice(1).map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
}

function concat(chunks: Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
