import { createMockDaemon, type MockDaemon } from "./daemon.ts";
import type { MockDaemonOptions } from "./options.ts";
import { isLoopbackHost } from "./peer.ts";

export interface ServeOptions extends MockDaemonOptions {
  /** 0 takes a free one; 3850 is the real daemon's. */
  readonly port?: number;
  readonly host?: string;
}

export interface MockServer {
  readonly url: string;
  readonly port: number;
  readonly daemon: MockDaemon;
  shutdown(): Promise<void>;
}

/** Listens. Any program on another machine needs a key, so a host that others reach needs team mode. */
export function serve(options: ServeOptions = {}): MockServer {
  const host = options.host ?? "127.0.0.1";
  if (!isLoopbackHost(host) && options.auth !== "team") {
    throw new Error(
      `The daemon will not listen on ${host} without keys; add --auth team, or use --host 127.0.0.1.`,
    );
  }
  const daemon = createMockDaemon(options);
  const server = Deno.serve({
    port: options.port ?? 0,
    hostname: host === "localhost" ? "127.0.0.1" : host.replace(/^\[(.*)\]$/, "$1"),
    onListen: () => {},
    // A client that hangs up mid-answer is nothing to print about.
    onError: () => new Response("500 Internal Server Error", { status: 500 }),
  }, (request, info) => daemon.app.fetch(request, { peer: info.remoteAddr.hostname }));
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
