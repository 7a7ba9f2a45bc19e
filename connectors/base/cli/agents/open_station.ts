import { machineName } from "../../../../hooks/agents/machine.ts";
import { keyFor } from "../../../../hooks/daemon/agent_keys.ts";
import { DaemonClient } from "../../../../hooks/daemon/client.ts";
import { loadSettings, type Settings } from "../../../../hooks/daemon/settings.ts";
import { credentialsPath, type Surroundings } from "../../../../hooks/state/paths.ts";
import { type Caller, findCaller } from "../../agents/peers/caller.ts";
import { liveSessions, type Mesh, openMesh } from "../../agents/mesh.ts";
import type { Known } from "../../agents/messages/send.ts";
import { openStation, type Station } from "../../agents/station.ts";
import { natsSettings } from "../../agents/nats/nats_settings.ts";
import type { Harness } from "../../harness.ts";
import type { Context } from "../command.ts";
import { memoryHarness } from "../selected_harnesses.ts";

/** The caller of a command, and the ways that its messages take. */
export function stationOf(
  context: Context,
  log: (line: string) => void = (line) => context.ui.warn(line),
): Station {
  const { ui, host, known, flags } = context;
  const mesh = openMesh(host, true);
  const cwd = Deno.cwd();
  const caller = findCaller({
    as: flags.text("as"),
    live: liveSessions(mesh),
    env: host.env,
    harnesses: known,
    cwd,
    interactive: ui.interactive,
  });
  const settings = settingsOf(context, caller);
  return stationWith(mesh, caller, settings, cwd, { host, log });
}

/** The station of the person who runs a command, also where an agent's session could be guessed. */
export function personStation(context: Context): Station {
  const { host, ui } = context;
  const caller: Caller = { kind: "person" };
  const mesh = openMesh(host, true);
  const log = (line: string) => ui.warn(line);
  return stationWith(mesh, caller, settingsOf(context, caller), Deno.cwd(), { host, log });
}

/** A station with these settings; without any, only sessions of this machine are reached. */
export function stationWith(
  mesh: Mesh,
  caller: Caller,
  settings: Settings | undefined,
  cwd: string,
  { host, log }: { host?: Surroundings; log?: (line: string) => void } = {},
): Station {
  const agentId = caller.kind === "session" ? caller.session.agentId : settings?.agentId ?? "default";
  const client = settings === undefined ? undefined : clientFor(settings, agentId);
  const machine = machineName(settings);
  const nats = host && natsSettings(host);
  return openStation({ mesh, caller, agentId, machine, cwd, client, nats, log });
}

/** The settings of the caller's harness; a person has those of the harness that is connected. */
function settingsOf(context: Context, caller: Caller): Settings | undefined {
  const { host, known } = context;
  if (caller.kind === "session") {
    const { session } = caller;
    const harness = known.find(({ id }) => id === session.harness);
    return loadSettings(session.harness, host, {}, {
      cwd: session.project,
      projectFirst: harness?.sharesEnvironment,
    });
  }
  if (context.harnesses.length === 0 && !isConnected(context)) return undefined;
  const { id, sharesEnvironment: projectFirst } = memoryHarness(context);
  return loadSettings(id, host, {}, { cwd: Deno.cwd(), projectFirst });
}

function isConnected({ known, host }: Context): boolean {
  return Boolean(host.env("SIGNET_DAEMON_URL")) || known.some(({ id }) => isFile(credentialsPath(id, host)));
}

function isFile(path: string | undefined): boolean {
  try {
    return path !== undefined && Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** A client with the key of this agent, and with no other one. */
function clientFor(settings: Settings, agentId: string): DaemonClient | undefined {
  if (agentId === settings.agentId) return DaemonClient.from(settings);
  const key = keyFor(settings, { agentId });
  return key === undefined ? undefined : DaemonClient.from({ ...settings, agentId, apiKey: key.apiKey });
}

/** The harnesses and agents that exist, whether or not one of their sessions is live. */
export function knownNames({ known, host }: Context): Known {
  const agents = known.filter(({ id }) => isFile(credentialsPath(id, host))).flatMap(({ id }: Harness) => {
    const { agentId, keys } = loadSettings(id, host);
    return [agentId, ...keys?.agents.map((agent) => agent.id) ?? []];
  });
  return { harnesses: known.map(({ id }) => id), agents: [...new Set(agents)] };
}

/** One station per daemon or server, and agent that a harness is connected as. */
export function connectedStations({ known, host }: Context, mesh: Mesh): Station[] {
  const stations = new Map<string, Station>();
  for (const { id, sharesEnvironment: projectFirst } of known) {
    if (!isFile(credentialsPath(id, host)) && !host.env("SIGNET_DAEMON_URL")) continue;
    const settings = loadSettings(id, host, {}, { cwd: Deno.cwd(), projectFirst });
    const station = stationWith(mesh, { kind: "person" }, settings, Deno.cwd(), { host });
    const key = `${station.remote?.url} ${settings.agentId}`;
    if (!stations.has(key)) stations.set(key, station);
  }
  // Without a harness, the NATS server still knows who is there.
  if (stations.size === 0 && natsSettings(host) !== undefined) {
    stations.set("", stationWith(mesh, { kind: "person" }, undefined, Deno.cwd(), { host }));
  }
  return [...stations.values()];
}
