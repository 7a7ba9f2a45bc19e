import { checkAgentId } from "../../../../../hooks/daemon/settings.ts";
import { describeNats } from "../../../agents/nats/failure.ts";
import { accessPath, natsSettings, storeAccess } from "../../../agents/nats/nats_settings.ts";
import { readTransport } from "../../../agents/transport/read_transport.ts";
import { givenLogin, readFile } from "../../agents/given_login.ts";
import { stationOf } from "../../agents/open_station.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../command.ts";

/** Stores how to log in to the NATS server, and tries it. */
export async function run(context: Context): Promise<Outcome> {
  const { flags, host, ui, binary } = context;
  const transport = readTransport(host);
  if (transport.kind !== "nats") {
    throw new UserError(
      "Agents send their messages through the daemon, which needs no other login.",
      EXIT.usage,
      `${binary} agents config set transport nats://HOST:4222`,
    );
  }
  const agentId = flags.text("agent-id");
  const id = agentId === undefined ? undefined : checkAgentId(agentId);
  if (id !== undefined && "problem" in id) throw new UserError(id.problem, EXIT.usage);
  const login = await givenLogin(context, transport.user ?? agentId);
  const caFile = flags.text("ca");
  const ca = caFile === undefined ? undefined : await readFile(caFile);
  if (ca !== undefined && !ca.includes("BEGIN CERTIFICATE")) {
    throw new UserError(`${caFile} has no certificate in PEM form.`, EXIT.usage);
  }
  const { url } = transport;
  const plain = flags.on("no-tls") || undefined;
  try {
    storeAccess(host, url, { ca, plain, login, agentId });
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error), EXIT.file);
  }
  ui.ok(`The login for ${ui.bold(url)} is stored in ${ui.path(accessPath(host) ?? "")}`);
  const who = agentId ?? stationOf(context).agentId;
  const problem = await ui.during("Connecting", connects(context, who));
  if (problem === undefined) ui.ok(`${url} accepts it for agent ${ui.bold(who)}`);
  else ui.warn(problem);
  return {
    code: problem === undefined ? EXIT.ok : EXIT.degraded,
    data: { url, agentId: who, accepted: problem === undefined, problem },
  };
}

/** Why the server does not accept the stored login. */
async function connects({ host }: Context, agentId: string): Promise<string | undefined> {
  const settings = natsSettings(host);
  if (settings === undefined) return undefined;
  try {
    const { NatsLink } = await import("../../../agents/nats/link.ts");
    await (await NatsLink.open(settings, agentId)).close();
    return undefined;
  } catch (error) {
    return describeNats(error, settings.url, agentId).why;
  }
}
