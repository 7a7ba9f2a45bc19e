import { machineName } from "../../../hooks/agents/machine.ts";
import { Breaker } from "../../../hooks/daemon/breaker.ts";
import { appendLog } from "../../../hooks/log.ts";
import { home, HOST, stateDir, type Surroundings } from "../../../hooks/state/paths.ts";
import type { Settings } from "../../../hooks/daemon/settings.ts";
import { DaemonClient } from "../../../hooks/daemon/client.ts";
import { findCaller } from "../agents/caller.ts";
import { liveSessions, openMesh } from "../agents/mesh.ts";
import { openStation, type Station } from "../agents/station.ts";
import { openDaemon } from "../memory/connect.ts";
import { serveTools } from "./session.ts";
import type { McpMode } from "./tools.ts";

/** `<bin> mcp`: serves the tools with one harness's installed settings on this process's stdin and stdout. */
export async function mcpMain(options: {
  settings: Settings;
  binary: string;
  version: string;
  mode: McpMode;
  host?: Surroundings;
  /** The variable in which the harness gives its session to programs that it starts. */
  sessionVariable?: string;
}): Promise<void> {
  const { settings, binary, version, mode, host = HOST } = options;
  // stdout carries the protocol: a stray print, from us or a library, must not corrupt it.
  console.log = console.info = console.debug = console.error;
  const cwd = workingDirectory();
  const agents = settings.options?.agents === true;
  const logDir = stateDir(settings.harness, host);
  await serveTools({
    daemon: openDaemon(settings, { cwd, host }),
    binary,
    version,
    mode,
    // A desktop app starts us in / or the home directory: that is not a project.
    project: cwd === "" || cwd === "/" || cwd === home(host) ? undefined : cwd,
    station: agents ? (as) => callerStation(settings, cwd, host, options.sessionVariable, as) : undefined,
    hanging: () => new Breaker(logDir, settings.url).state().open,
    audit: ({ tool, agentId, outcome, ms }) =>
      appendLog(logDir, {
        at: new Date().toISOString(),
        event: `mcp ${tool}`,
        outcome,
        ms,
        detail: `agent ${agentId}`,
      }),
  });
}

/** The session of this harness that calls a tool. */
function callerStation(
  settings: Settings,
  cwd: string,
  host: Surroundings,
  sessionVariable: string | undefined,
  as: string | undefined,
): Station {
  const mesh = openMesh(host, true);
  const live = liveSessions(mesh).filter(({ harness }) => harness === settings.harness);
  const harnesses = [{ id: settings.harness, sessionVariable }];
  const caller = findCaller({ as, live, env: host.env, harnesses, cwd, interactive: false });
  const client = settings.problem === undefined ? DaemonClient.from(settings) : undefined;
  const agentId = caller.kind === "session" ? caller.session.agentId : settings.agentId;
  return openStation({ mesh, caller, agentId, machine: machineName(settings), cwd, client });
}

function workingDirectory(): string {
  try {
    return Deno.cwd();
  } catch {
    return ""; // the directory was removed
  }
}
