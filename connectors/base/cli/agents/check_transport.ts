import { loadSettings } from "../../../../hooks/daemon/settings.ts";
import type { Surroundings } from "../../../../hooks/state/paths.ts";
import { openMesh } from "../../agents/mesh.ts";
import { natsSettings } from "../../agents/nats/nats_settings.ts";
import { everyPeer } from "../../agents/station.ts";
import type { Diagnosis } from "../../doctor/diagnosis.ts";
import { errorReason } from "../../fs/error_reason.ts";
import type { Harness } from "../../harness.ts";
import { stationWith } from "./open_station.ts";

/** Checks that the NATS server of agents.yaml takes the agent of a harness. Nothing without such a server. */
export async function checkTransport(
  { id, sharesEnvironment: projectFirst }: Pick<Harness, "id" | "sharesEnvironment">,
  host: Surroundings,
  cwd: string,
): Promise<Diagnosis[]> {
  const url = natsUrl(host);
  if (url === undefined) return [];
  const settings = loadSettings(id, host, {}, { cwd, projectFirst });
  const station = stationWith(openMesh(host, true), { kind: "person" }, settings, cwd, { host });
  const { problem } = await everyPeer(station).catch((error) => ({ problem: `${errorReason(error)}.` }));
  if (problem !== undefined) return [{ id: "transport", ok: false, message: problem }];
  const message = `the NATS server at ${url} carries the messages of agent ${station.agentId}`;
  return [{ id: "transport", ok: true, message }];
}

/** A broken agents.yaml has a finding of its own. */
function natsUrl(host: Surroundings): string | undefined {
  try {
    return natsSettings(host)?.url;
  } catch {
    return undefined;
  }
}
