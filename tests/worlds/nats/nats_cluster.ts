import { until } from "../../../connectors/base/testing/until.ts";
import { NatsLink } from "../../../connectors/base/agents/nats/link.ts";
import { freePort, NatsServer } from "./nats_server.ts";
import { settingsOf } from "./nats_world.ts";

const SIZE = 3;

/** Three servers that keep three copies of everything. */
export class NatsCluster implements AsyncDisposable {
  readonly servers: readonly NatsServer[];

  private constructor(servers: readonly NatsServer[]) {
    this.servers = servers;
  }

  get url(): string {
    return this.servers.map(({ url }) => url).join(",");
  }

  static async start(): Promise<NatsCluster> {
    const ports = Array.from({ length: SIZE }, freePort);
    const routes = ports.map((port) => `nats://127.0.0.1:${port}`).join(", ");
    const servers = await Promise.all(ports.map((port, i) =>
      NatsServer.start({
        config: `server_name: n${i}
cluster { name: signet, listen: "127.0.0.1:${port}", routes: [${routes}] }`,
      })
    ));
    const cluster = new NatsCluster(servers);
    await cluster.ready();
    return cluster;
  }

  /** Waits until the servers have found each other and agree on who leads. */
  async ready(): Promise<void> {
    await until("the cluster has a leader", async () => {
      try {
        const link = await NatsLink.open(settingsOf(this.url, "admin"), "admin");
        try {
          await link.manager.getAccountInfo();
          return link.replicas === SIZE;
        } finally {
          await link.close();
        }
      } catch {
        return false;
      }
    });
  }

  /** The server that takes the messages of a stream and passes them on to the others. */
  async leaderOf(stream: string): Promise<NatsServer> {
    return await until(`${stream} has a leader`, async () => {
      const link = await NatsLink.open(settingsOf(this.url, "admin"), "admin");
      const { cluster } = await link.manager.streams.info(stream).finally(() => link.close());
      return this.servers.find((_, i) => `n${i}` === cluster?.leader);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) await server[Symbol.asyncDispose]();
  }
}
