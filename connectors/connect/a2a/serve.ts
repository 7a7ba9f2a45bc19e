import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { knownNames, stationOf } from "../../base/cli/agents/open_station.ts";
import { stopSignal } from "../../base/sync/stop_signal.ts";
import { Gateway } from "./gateway.ts";
import { withGateway } from "./open_gateway.ts";
import { listeningUrl, type ServeOptions, serveOptions } from "./serve_options.ts";
import { Clients } from "./server/clients.ts";

/** Serves the agents of this machine to A2A clients, until it is stopped. */
export async function run(context: Context): Promise<Outcome> {
  const { ui, host, known, binary } = context;
  const options = await serveOptions(context);
  const station = { ...stationOf(context), caller: { kind: "person" } as const };
  return await withGateway(context, async (database) => {
    using stop = stopSignal();
    const started = Promise.withResolvers<Gateway>();
    const server = listen(options, async (request) => await (await started.promise).app.fetch(request));
    const own = listeningUrl(options, server.addr.port);
    const url = options.url ?? own;
    const gateway = new Gateway({
      database,
      station,
      known: knownNames(context),
      harnesses: known,
      host,
      addresses: { scheme: options.tls === undefined ? "http" : "https", hosts: hosts(options) },
      url,
      defaultAgent: options.defaultAgent,
      start: options.start,
      ttlMs: options.ttlMs,
      compat: options.compat,
      rules: { allow: options.allowPush },
      log: (line) => ui.warn(line),
    });
    started.resolve(gateway);
    ui.ok(`Serving A2A at ${ui.bold(url)}`);
    ui.next(`Agent card: ${url}/.well-known/agent-card.json; other agents: ${url}/agents/HANDLE`);
    if (new Clients(database).list().length === 0) {
      ui.hint(`No client has a token yet. To create one, run: ${binary} a2a tokens create NAME`);
    }
    try {
      await gateway.run(stop.signal);
    } finally {
      // Open streams would keep it alive.
      await Promise.race([server.shutdown(), new Promise((resolve) => setTimeout(resolve, 500))]);
    }
    return { code: stop.exitCode, data: { url } };
  });
}

function listen(
  { host, port, tls }: ServeOptions,
  handle: (request: Request) => Promise<Response>,
): Deno.HttpServer<Deno.NetAddr> {
  const quiet = {
    onListen: () => {},
    onError: () => new Response("500 Internal Server Error", { status: 500 }),
  };
  try {
    return tls === undefined
      ? Deno.serve({ hostname: host, port, ...quiet }, handle)
      : Deno.serve({ hostname: host, port, ...tls, ...quiet }, handle);
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) {
      throw new UserError(`Port ${port} of ${host} is in use.`, EXIT.failed, "--port 0 takes a free one");
    }
    throw new UserError(
      `The gateway cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

/** The names that a client may write into the Host header, besides loopback. */
function hosts({ host, url }: ServeOptions): string[] {
  return [host, ...(url === undefined ? [] : [new URL(url).hostname])].map((name) => name.toLowerCase());
}
