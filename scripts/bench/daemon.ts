import { HOOK_PATHS } from "../../hooks/daemon/wire.ts";
import type { Certificates } from "../../tests/worlds/certificates.ts";

/** As long as Signet 0.58.1 worked on a prompt, with 200 memories and without embeddings. */
const PROMPT_MS = 1.8;

/** A minimal daemon, the same over TLS, one as busy as Signet, one that hangs, and an address where none listens. */
export class BenchDaemon {
  readonly url: string;
  /** Works on each prompt for as long as Signet does, and answers other requests at once. */
  readonly busyUrl: string;
  readonly hangingUrl: string;
  readonly deadUrl: string;
  /** Undefined where there are no certificates. */
  readonly tlsUrl?: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #busy: Deno.HttpServer<Deno.NetAddr>;
  readonly #tls?: Deno.HttpServer<Deno.NetAddr>;
  readonly #hanging: Deno.TcpListener;
  readonly #open: Deno.TcpConn[] = [];
  #hold: { arrived: () => void; released: Promise<void> } | undefined;
  /** Whether session-end is accepted; otherwise events stay in the spool. */
  acceptsEnds = true;

  constructor(certificates?: Certificates) {
    const options = { hostname: "127.0.0.1", port: 0 };
    const serving = { ...options, onListen: () => {} };
    this.#server = Deno.serve(serving, (request) => this.#answer(request));
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
    this.#busy = Deno.serve(serving, (request) => {
      if (request.url.endsWith(HOOK_PATHS["user-prompt-submit"])) work(PROMPT_MS);
      return this.#answer(request);
    });
    this.busyUrl = `http://127.0.0.1:${this.#busy.addr.port}`;
    if (certificates) {
      const { cert, key } = certificates;
      this.#tls = Deno.serve({ ...serving, cert, key }, (request) => this.#answer(request));
      this.tlsUrl = `https://localhost:${this.#tls.addr.port}`;
    }
    this.#hanging = Deno.listen(options);
    this.hangingUrl = `http://127.0.0.1:${this.#hanging.addr.port}`;
    this.#accept();
    const dead = Deno.listen(options);
    this.deadUrl = `http://127.0.0.1:${dead.addr.port}`;
    dead.close();
  }

  /** Holds the next request: `arrived` resolves when it comes in, `release` lets it continue. */
  hold(): { arrived: Promise<void>; release: () => void } {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.#hold = { arrived: arrived.resolve, released: released.promise };
    return { arrived: arrived.promise, release: released.resolve };
  }

  async close(): Promise<void> {
    this.#hanging.close();
    for (const conn of this.#open) {
      try {
        conn.close();
      } catch {
        // The client has disconnected.
      }
    }
    await this.#server.shutdown();
    await this.#busy.shutdown();
    await this.#tls?.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    await request.text();
    if (request.url.includes("/cross-agent/messages")) return Response.json({ items: [], count: 0 });
    const hold = this.#hold;
    this.#hold = undefined;
    hold?.arrived();
    await hold?.released;
    if (!this.acceptsEnds && request.url.endsWith("/session-end")) {
      return Response.json({ error: "not now" }, { status: 503 });
    }
    return Response.json({
      inject: "# Memories\n- likes tea\n".repeat(20),
      sessionKnown: true,
      memoriesSaved: 0,
    });
  }

  async #accept(): Promise<void> {
    try {
      for await (const conn of this.#hanging) this.#open.push(conn);
    } catch {
      // Closed.
    }
  }
}

/** Keeps one core busy: a timer is too coarse for this. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
