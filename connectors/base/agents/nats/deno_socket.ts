import {
  checkOptions,
  type ConnectionOptions,
  INFO,
  type Server,
  type ServerInfo,
  type TlsOptions,
  type Transport,
} from "@nats-io/nats-core/internal";

const READ_BYTES = 64 * 1024;
/** The first line of a server has the addresses of its cluster; it is never this long. */
const MAX_INFO = 1024 * 1024;

/**
 * The connection of the NATS library, on Deno's own sockets: the library's transport
 * for Node switches an open connection to TLS, which fails with node:tls of Deno 2.7.
 */
export class DenoSocket implements Transport {
  readonly lang = "deno";
  readonly version = "3.4.0";
  closeError?: Error;
  #connection: Deno.TcpConn | Deno.TlsConn | undefined;
  #isEncrypted = false;
  #isConnected = false;
  #isDone = false;
  /** What was read to see the server's first line; the library reads it again. */
  #first = new Uint8Array();
  #queue: Uint8Array[] = [];
  #writing: Promise<void> | undefined;
  readonly #closed = Promise.withResolvers<void | Error>();

  async connect({ hostname, port, tlsName }: Server, options: ConnectionOptions): Promise<void> {
    const tcp = await Deno.connect({ hostname, port });
    this.#connection = tcp;
    // The time may have been up meanwhile.
    if (this.#isDone) return this.discard();
    try {
      tcp.setNoDelay(true);
      const info = await this.#readInfo(tcp);
      checkOptions(info, options);
      if (info.tls_required || (info.tls_available && options.tls !== null)) {
        const tls = await Deno.startTls(tcp, {
          hostname: tlsName || hostname,
          caCerts: authorities(options.tls),
        });
        this.#connection = tls;
        await tls.handshake();
        this.#isEncrypted = true;
      }
    } catch (error) {
      this.discard();
      throw error;
    }
    this.#isConnected = true;
  }

  get isClosed(): boolean {
    return this.#isDone;
  }

  isEncrypted(): boolean {
    return this.#isEncrypted;
  }

  async *[Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array> {
    if (this.#first.length > 0) yield this.#first;
    const buffer = new Uint8Array(READ_BYTES);
    let problem: Error | undefined;
    while (!this.#isDone && this.#connection !== undefined) {
      let size: number | null;
      try {
        size = await this.#connection.read(buffer);
      } catch (error) {
        problem = error instanceof Error ? error : new Error(String(error));
        break;
      }
      if (size === null) break;
      yield buffer.slice(0, size);
    }
    this.#end(problem);
  }

  send(frame: Uint8Array): void {
    if (this.#isDone) return;
    this.#queue.push(frame);
    this.#writing ??= this.#write().finally(() => this.#writing = undefined);
  }

  async close(error?: Error): Promise<void> {
    if (!this.#isConnected) return this.discard();
    if (error === undefined) await this.#writing;
    this.#end(error);
  }

  disconnect(): void {
    this.#end(undefined);
  }

  closed(): Promise<void | Error> {
    return this.#closed.promise;
  }

  /** Ends it without a word to the library. */
  discard(): void {
    this.#isDone = true;
    this.#queue = [];
    try {
      this.#connection?.close();
    } catch {
      // It has ended by itself.
    }
  }

  #end(error: Error | undefined): void {
    if (this.#isDone) return;
    this.closeError = error;
    this.discard();
    this.#closed.resolve(error);
  }

  async #readInfo(tcp: Deno.TcpConn): Promise<ServerInfo> {
    const buffer = new Uint8Array(READ_BYTES);
    while (this.#first.length < MAX_INFO) {
      const size = await tcp.read(buffer);
      if (size === null) throw new Error("it closed the connection at once");
      this.#first = new Uint8Array([...this.#first, ...buffer.subarray(0, size)]);
      const text = new TextDecoder().decode(this.#first);
      if (!text.includes("\r\n")) continue;
      const [, info] = INFO.exec(text) ?? [];
      if (info === undefined) break;
      return JSON.parse(info);
    }
    throw new Error("it is not a NATS server");
  }

  async #write(): Promise<void> {
    while (this.#queue.length > 0 && !this.#isDone) {
      const frames = this.#queue;
      this.#queue = [];
      for (const frame of frames) {
        try {
          for (let at = 0; at < frame.length;) {
            at += await this.#connection?.write(frame.subarray(at)) ?? frame.length;
          }
        } catch {
          // Reading fails as well, and reports it.
          return;
        }
      }
    }
  }
}

function authorities(tls: TlsOptions | null | undefined): string[] {
  return typeof tls?.ca === "string" ? [tls.ca] : [];
}
