import { DaemonClient } from "../../../hooks/daemon/client.ts";
import { requestContext } from "../../../hooks/daemon/context.ts";
import { HOST, stateDir, type Surroundings } from "../../../hooks/state/paths.ts";
import type { Settings } from "../../../hooks/daemon/settings.ts";
import { Spool } from "../../../hooks/spool/spool.ts";
import type { MemoryDaemon, Method } from "./daemon.ts";

const REMEMBER = "/api/memory/remember";

export interface Place {
  /** The caller's working directory, sent to the daemon as evidence. */
  readonly cwd: string;
  readonly host?: Surroundings;
  readonly client?: DaemonClient;
}

/**
 * The daemon of these settings. This writes the agent into every request, last and
 * in each spelling that a daemon reads, so that no caller can omit or change it.
 */
export function openDaemon(settings: Settings, place: Place): MemoryDaemon {
  const client = place.client ?? DaemonClient.from(settings);
  const { agentId, harness, url } = settings;
  const session = { cwd: place.cwd, sessionKey: undefined };
  let context: ReturnType<typeof requestContext> | undefined;
  const bound = async (body: Record<string, unknown>) => ({
    ...body,
    // A message has its own field for the sender.
    ...("fromAgentId" in body ? { fromAgentId: agentId } : { agentId }),
    agent_id: agentId,
    requestContext: await (context ??= requestContext(settings, session)),
  });
  return {
    url,
    agentId,
    harness,
    async request(method, path, body, timeoutMs) {
      const key = typeof body?.idempotencyKey === "string" ? body.idempotencyKey : undefined;
      return hasBody(method)
        ? await client.request(method, path, await bound(body ?? {}), { timeoutMs, idempotencyKey: key })
        : await client.request(method, withAgent(path, agentId), undefined, { timeoutMs });
    },
    async keep(body) {
      const dir = stateDir(harness, place.host ?? HOST);
      if (dir === undefined) throw new Error("There is no home directory to save it in.");
      new Spool(dir).add({
        id: String(body.idempotencyKey),
        kind: "remember",
        path: REMEMBER,
        url,
        harness,
        agentId,
        runtimePath: client.runtimePath,
        body: await bound(body),
      });
    },
  };
}

const hasBody = (method: Method) => method === "POST" || method === "PATCH";

function withAgent(path: string, agentId: string): string {
  const [route = "", query] = path.split("?");
  const parameters = new URLSearchParams(query);
  parameters.set("agent_id", agentId);
  return `${route}?${parameters}`;
}
