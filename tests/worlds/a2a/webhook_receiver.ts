import { until } from "../../../connectors/base/testing/until.ts";

export interface Received {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A web server that notes what is posted to it. */
export class WebhookReceiver implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  /** The answers to the next requests; after that, 204. */
  readonly answers: (number | Response)[] = [];

  constructor(tls?: { cert: string; key: string }) {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    const handle = async (request: Request) => {
      const { pathname } = new URL(request.url);
      this.received.push({ path: pathname, headers: request.headers, body: await request.text() });
      const answer = this.answers.shift() ?? 204;
      return typeof answer === "number" ? new Response(null, { status: answer }) : answer;
    };
    this.#server = tls === undefined
      ? Deno.serve(options, handle)
      : Deno.serve({ ...options, cert: tls.cert, key: tls.key }, handle);
  }

  get port(): number {
    return this.#server.addr.port;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  async count(number: number): Promise<readonly Received[]> {
    await until(`${number} requests have come`, () => this.received.length >= number);
    return this.received;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
