import { createMockDaemon, type MockDaemon } from "./daemon.ts";
import type { MockDaemonOptions } from "./options.ts";
import { isLoopbackHost } from "../connectors/base/page/local_request.ts";

export interface ServeOptions extends MockDaemonOptions {
  /** 0 picks a free port; the real daemon uses 3850. */
  readonly port?: number;
  readonly host?: string;
}

export interface MockServer {
  readonly url: string;
  readonly port: number;
  readonly daemon: MockDaemon;
  shutdown(): Promise<void>;
}

/** Starts listening. An address that other machines can reach requires keys, so it needs team mode. */
export function serve(options: ServeOptions = {}): MockServer {
  const host = options.host ?? "127.0.0.1";
  if (!isLoopbackHost(host) && options.auth !== "team") {
    throw new Error(
      `The daemon refuses to listen on ${host} without API keys; add --auth team, or use --host 127.0.0.1.`,
    );
  }
  const daemon = createMockDaemon(options);
  const server = listen(daemon, host, options.port ?? 0);
  const { port } = server.addr;
  daemon.state.address = { host, port };
  return {
    url: `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`,
    port,
    daemon,
    async shutdown() {
      daemon.stop();
      await server.shutdown();
      daemon.close();
    },
  };
}

function listen(daemon: MockDaemon, host: string, port: number): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({
      port,
      hostname: host === "localhost" ? "127.0.0.1" : host.replace(/^\[(.*)\]$/, "$1"),
      onListen: () => {},
      onError: () => new Response("500 Internal Server Error", { status: 500 }),
    }, (request, info) => daemon.app.fetch(request, { peer: info.remoteAddr.hostname }));
  } catch (cause) {
    daemon.close();
    const why = cause instanceof Deno.errors.AddrInUse
      ? "the port is in use; stop the other program or"
      : `${cause};`;
    throw new Error(`The daemon cannot listen on ${host}:${port}: ${why} choose another --port.`, { cause });
  }
}
