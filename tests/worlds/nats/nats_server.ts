import { fromFileUrl } from "@std/path";
import { until } from "../../../connectors/base/testing/until.ts";

const SIGNET_CONF = fromFileUrl(new URL("../../../docs/nats/signet.conf", import.meta.url));

/** The users of docs/nats/signet.conf. */
export type NatsUser = "admin" | "alice" | "bob";
const PASSWORDS: Record<NatsUser, string> = { admin: "a-secret", alice: "l-secret", bob: "b-secret" };

export function loginOf(user: NatsUser): { user: string; password: string } {
  return { user, password: PASSWORDS[user] };
}

export interface NatsServerOptions {
  /** More lines of the configuration. */
  readonly config?: string;
  /** Everybody may do everything, without a password. */
  readonly open?: boolean;
  readonly port?: number;
  readonly withoutJetStream?: boolean;
}

/** A real nats-server with the configuration of the documentation. Only runs in a namespace with nothing but loopback. */
export class NatsServer implements AsyncDisposable {
  readonly dir: string;
  readonly port: number;
  #process: Deno.ChildProcess | undefined;

  private constructor(dir: string, port: number) {
    this.dir = dir;
    this.port = port;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  static async start(options: NatsServerOptions = {}): Promise<NatsServer> {
    const port = options.port ?? freePort();
    const dir = await Deno.makeTempDir({ prefix: "signet-nats-" });
    const server = new NatsServer(dir, port);
    await Deno.copyFile(SIGNET_CONF, `${dir}/signet.conf`);
    await Deno.writeTextFile(
      `${dir}/server.conf`,
      `listen: "127.0.0.1:${port}"
${options.withoutJetStream ? "" : `jetstream { store_dir: "${dir}/store" }`}
${options.open ? "" : 'include "signet.conf"'}
${options.config ?? ""}
`,
    );
    await server.run();
    return server;
  }

  /** Starts it, or starts it again with what it had. */
  async run(): Promise<void> {
    const env = Object.fromEntries(
      Object.entries(PASSWORDS).map(([user, password]) => [`${user.toUpperCase()}_PASSWORD`, password]),
    );
    const process = new Deno.Command("nats-server", {
      args: ["-c", `${this.dir}/server.conf`, "-l", `${this.dir}/log`],
      env,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    this.#process = process;
    let ended = false;
    void process.status.then(() => ended = true);
    await until(`nats-server listens on ${this.port}`, async () => {
      try {
        (await Deno.connect({ hostname: "127.0.0.1", port: this.port })).close();
        return true;
      } catch {
        if (ended) throw new Error(`nats-server ended: ${Deno.readTextFileSync(`${this.dir}/log`)}`);
        return false;
      }
    });
  }

  /** Ends it; its messages stay on disk. */
  async stop(signal: Deno.Signal = "SIGKILL"): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (process === undefined) return;
    process.kill(signal);
    await process.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await Deno.remove(this.dir, { recursive: true });
  }
}

/**
 * A port that no connection gets by itself: a client that connects again and again to a
 * port of that range, while its server is away, may at last be connected to itself.
 */
export function freePort(): number {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    try {
      using _listener = Deno.listen({ hostname: "127.0.0.1", port });
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}
