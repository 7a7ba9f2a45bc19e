import { isAgentLogLarge } from "../../../hooks/agents/log_line.ts";
import type { ListedSession } from "../../../hooks/agents/sessions/session.ts";
import type { Settings } from "../../../hooks/daemon/settings.ts";
import type { Surroundings } from "../../../hooks/state/paths.ts";
import { EXIT, UserError } from "../cli/command.ts";
import { stationWith } from "../cli/agents/open_station.ts";
import type { Harness } from "../harness.ts";
import { type CallerQuery, findCaller } from "./peers/caller.ts";
import { findSession, uniqueHandle } from "./peers/lookup.ts";
import { liveSessions, type Mesh, openMesh } from "./mesh.ts";
import { RingAgain } from "./wake/ring_again.ts";
import type { Station } from "./station.ts";

export interface DeskOptions {
  readonly settings: Settings;
  readonly harness: Harness;
  readonly cwd: string;
  readonly host: Surroundings;
}

/**
 * The mesh as the MCP server of one harness and one agent sees it. A tool acts as a
 * session of this harness and this agent, and as no other.
 */
export class AgentDesk {
  readonly #options: DeskOptions;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /**
   * The caller's station; undefined if no session of this agent takes part yet.
   *
   * @throws {UserError} if several sessions could be the caller
   */
  station(as?: string): Station | undefined {
    const { settings, cwd, host } = this.#options;
    const mesh = openMesh(host, true);
    const session = this.#caller(mesh, as);
    if (session === undefined) return undefined;
    return stationWith(mesh, { kind: "session", session, how: "named" }, settings, cwd, { host });
  }

  /** The sessions and locks of this machine, whoever calls. */
  get mesh(): Mesh {
    return openMesh(this.#options.host);
  }

  /**
   * Brings the agent's messages into the inboxes of this machine until `signal` is
   * aborted, and rings again for the urgent ones that nobody reads.
   */
  async receive(signal: AbortSignal, log: (line: string) => void): Promise<void> {
    const { settings, cwd, host } = this.#options;
    try {
      const mesh = openMesh(host, true);
      if (isAgentLogLarge(mesh.dir)) (await import("../history/bound_log.ts")).boundLog(mesh.dir);
      new RingAgain(mesh.dir).start(signal);
      const station = stationWith(mesh, { kind: "person" }, settings, cwd, {
        host,
        log: (line) => log(`signet mcp: ${line}`),
      });
      await station.remote?.receiver.run(signal);
    } catch (error) {
      log(`signet mcp: no messages are received: ${error instanceof Error ? error.message : error}`);
    }
  }

  #caller(mesh: Mesh, as: string | undefined): ListedSession | undefined {
    const { settings, harness, cwd, host } = this.#options;
    const live = liveSessions(mesh).filter((session) =>
      session.harness === settings.harness && session.agentId === settings.agentId
    );
    if (as !== undefined) return this.#named(as, live);
    const query = { live, env: host.env, harnesses: [harness], cwd, interactive: false };
    const [only, second] = live;
    if (second === undefined) return only;
    const caller = soleCaller(query);
    if (caller !== undefined) return caller;
    throw new UserError(
      `Several sessions of this agent could be calling: ${handles(live)}. Pass your own handle as "as".`,
      EXIT.usage,
    );
  }

  #named(as: string, live: readonly ListedSession[]): ListedSession {
    const lookup = findSession(live, as);
    if (lookup.kind === "session") return lookup.session;
    const { settings, harness } = this.#options;
    throw new UserError(
      `${as} is not one session of agent ${settings.agentId} in ${harness.displayName}. ` +
        (live.length === 0 ? "It has none." : `It has ${handles(live)}.`),
      EXIT.usage,
    );
  }
}

/** The session in the environment or the only one in this directory; undefined if that is not clear. */
function soleCaller(query: CallerQuery): ListedSession | undefined {
  try {
    const caller = findCaller(query);
    return caller.kind === "session" ? caller.session : undefined;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function handles(live: readonly ListedSession[]): string {
  return live.map((session) => uniqueHandle(session, live)).join(", ");
}
