import { type Mesh, openMesh } from "../../../base/agents/mesh.ts";
import { reachPeers } from "../../../base/agents/peers/reach_peers.ts";
import { connectedStations } from "../../../base/cli/agents/open_station.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../../base/cli/command.ts";
import { stopSignal } from "../../../base/sync/stop_signal.ts";
import { Feed } from "./feed.ts";
import { monitorServer } from "./server.ts";
import { newToken } from "./token.ts";

/** Only this machine reaches it. */
const HOST = "127.0.0.1";
const ELSEWHERE_MS = 5_000;

/** Serves the monitor page until the user stops it. */
export async function runWeb(context: Context): Promise<Outcome> {
  const { ui, host, flags } = context;
  using stop = stopSignal();
  const mesh = openMesh(host);
  const feed = new Feed(mesh, { project: flags.text("project") });
  const token = newToken();
  const app = monitorServer({ context, feed, token, signal: stop.signal });
  const server = listen(portOf(flags.text("port")), (request, peer) => app.fetch(request, { peer }));
  const url = `http://${HOST}:${server.addr.port}/#token=${token}`;
  ui.document({ url });
  ui.ok(`The monitor is at ${ui.bold(url)}`);
  ui.next("Open it in a browser on this machine. The address changes at each start; Ctrl-C ends it.");
  await Promise.all([feed.run(stop.signal), lookElsewhere(context, mesh, feed, stop.signal)]);
  await server.shutdown();
  return { code: stop.exitCode, data: undefined };
}

/** Asks the daemons for sessions on other machines, again and again. */
async function lookElsewhere(context: Context, mesh: Mesh, feed: Feed, signal: AbortSignal): Promise<void> {
  const stations = connectedStations(context, mesh);
  while (stations.length > 0 && !signal.aborted) {
    feed.reached(await reachPeers(stations));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ELSEWHERE_MS);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      }, { once: true });
    });
  }
}

function portOf(given: string | undefined): number {
  if (given === undefined) return 0;
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port > 0 && port < 65_536) return port;
  throw new UserError(`--port must be a number from 1 to 65535, not ${given}.`, EXIT.usage, "--port 8123");
}

function listen(
  port: number,
  handle: (request: Request, peer: string) => Response | Promise<Response>,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve(
      { port, hostname: HOST, onListen: () => {} },
      (request, { remoteAddr }) => handle(request, remoteAddr.hostname),
    );
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    throw new UserError(
      `Port ${port} is in use by another program.`,
      EXIT.failed,
      "choose another --port, or none for a free one",
    );
  }
}
