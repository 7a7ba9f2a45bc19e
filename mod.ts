/**
 * Signet portable connectors as a library.
 *
 * Connect a harness, and disconnect it again:
 *
 * ```ts
 * import { connectorFor } from "@signetai/connectors";
 *
 * const connector = connectorFor("pyagent", {
 *   url: "http://127.0.0.1:3850",
 *   agentId: "work-laptop",
 *   program: "/home/u/.local/bin/signet-pyagent",
 * });
 * console.log(connector.name, connector.getConfigPath());
 * if (!connector.isInstalled()) await connector.install("/home/u/.agents");
 * await connector.uninstall();
 * ```
 *
 * Talk to a daemon as one agent of one harness:
 *
 * ```ts
 * import { DaemonClient } from "@signetai/connectors";
 *
 * const client = new DaemonClient({ url: "http://127.0.0.1:3850", harness: "pyagent", agentId: "work-laptop" });
 * const reply = await client.sessionStart({ sessionKey: "s-1", project: "/home/u/proj" }, { timeoutMs: 3_000 });
 * if (reply.kind === "ok") console.log(reply.body.inject);
 * ```
 *
 * @module
 */
import { type ConnectorOptions, HarnessConnector } from "./connectors/base/harness_connector.ts";
import { HARNESSES } from "./connectors/registry.ts";

export { BaseConnector, type InstallResult, type UninstallResult } from "./connectors/base/connector.ts";
export { type ConnectorOptions, HarnessConnector } from "./connectors/base/harness_connector.ts";
export type {
  AgentAbilities,
  Call,
  Facet,
  Finding,
  Harness,
  HarnessAgents,
  HarnessEvent,
  Headless,
  IdentityTarget,
  InstallFlags,
  Limit,
  Move,
  Moves,
  Place,
  Site,
  Support,
  Target,
  Versions,
} from "./connectors/base/harness.ts";
export type { Edit, Format, Json, Path } from "./connectors/base/edit/edit.ts";
export { VERSION } from "./hooks/daemon/version.ts";
export { HARNESSES } from "./connectors/registry.ts";
export {
  type ClientOptions,
  DaemonClient,
  type FailedReply,
  type OpenedStream,
  type Reply,
  type RequestOptions,
} from "./hooks/daemon/client.ts";
export type { AgentEventName } from "./hooks/agents/event.ts";
export type { ToolTable, ToolWrites } from "./hooks/agents/locks/targets/tool_targets.ts";
export type { AgentProfile, GoOn } from "./hooks/agents/profile.ts";
export type { Wake } from "./hooks/agents/sessions/session.ts";
export { EVENT_NAMES, type EventName, type HookEvent } from "./hooks/event.ts";
export type { Surroundings } from "./hooks/state/paths.ts";
export type { HookProfile, TranscriptFormat } from "./hooks/profile.ts";
export {
  loadSettings,
  type Settings,
  type SettingsFlags,
  type SettingsPlace,
} from "./hooks/daemon/settings.ts";
export type { AgentEntry, AgentKeys, KeyOrigin } from "./hooks/daemon/agent_keys.ts";
export type * from "./hooks/daemon/wire.ts";

/**
 * The connector of a harness, by its id.
 *
 * @throws {Error} if there is no such harness
 */
export function connectorFor(id: string, options: ConnectorOptions = {}): HarnessConnector {
  const harness = HARNESSES.find((each) => each.id === id);
  if (harness === undefined) {
    throw new Error(
      `There is no harness ${id}; choose one of ${HARNESSES.map((each) => each.id).join(", ")}.`,
    );
  }
  return new HarnessConnector(harness, options);
}
