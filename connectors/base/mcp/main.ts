import { Breaker } from "../../../hooks/daemon/breaker.ts";
import { appendLog } from "../../../hooks/log.ts";
import { home, HOST, stateDir, type Surroundings } from "../../../hooks/state/paths.ts";
import { neverCreateAgain } from "../../../hooks/state/state_file.ts";
import type { Settings } from "../../../hooks/daemon/settings.ts";
import { AgentDesk } from "../agents/desk.ts";
import type { Harness } from "../harness.ts";
import { openDaemon } from "../memory/connect.ts";
import { serveTools } from "./session.ts";
import type { McpMode } from "./tools.ts";

/** `<bin> mcp`: serves the tools with one harness's installed settings on this process's stdin and stdout. */
export async function mcpMain(options: {
  settings: Settings;
  harness: Harness;
  binary: string;
  version: string;
  mode: McpMode;
  host?: Surroundings;
}): Promise<void> {
  const { settings, harness, binary, version, mode, host = HOST } = options;
  // stdout carries the protocol: a stray print, from us or a library, must not corrupt it.
  console.log = console.info = console.debug = console.error;
  const cwd = workingDirectory();
  const logDir = stateDir(settings.harness, host);
  neverCreateAgain(logDir);
  await serveTools({
    agents: settings.options?.agents === true ? new AgentDesk({ settings, harness, cwd, host }) : undefined,
    daemon: openDaemon(settings, { cwd, host }),
    binary,
    version,
    mode,
    // A desktop app starts us in / or the home directory: that is not a project.
    project: cwd === "" || cwd === "/" || cwd === home(host) ? undefined : cwd,
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

function workingDirectory(): string {
  try {
    return Deno.cwd();
  } catch {
    return ""; // the directory was removed
  }
}
