import { credentialsPath, stateDir } from "../../../../hooks/state/paths.ts";
import { loadSettings, type Settings } from "../../../../hooks/daemon/settings.ts";
import { findWorkspace } from "../../../../hooks/state/workspace.ts";
import { keyTail } from "../output/key_tail.ts";
import { type Context, EXIT, type Outcome } from "../command.ts";

function describe(settings: Settings, context: Context) {
  const { host } = context;
  const workspace = findWorkspace({ stored: settings.workspace, host });
  return {
    harness: settings.harness,
    url: { value: settings.url, from: settings.sources.url },
    apiKey: { value: keyTail(settings.apiKey), from: settings.sources.apiKey },
    agentId: { value: settings.agentId, from: settings.sources.agentId },
    workspace: { value: workspace?.path, from: workspace?.from },
    connectorId: settings.connectorId,
    machineId: settings.machineId,
    insecureHttp: settings.insecureHttp,
    files: { credentials: credentialsPath(settings.harness, host), state: stateDir(settings.harness, host) },
    problem: settings.problem,
  };
}

/** Shows the effective settings, where each comes from, and the key's last four characters. */
export function run(context: Context): Promise<Outcome> {
  const { ui } = context;
  const all = context.harnesses.length ? context.harnesses : context.known;
  const data = all.map((harness) => describe(loadSettings(harness.id, context.host), context));
  for (const each of data) {
    ui.say(ui.bold(each.harness));
    for (const name of ["url", "apiKey", "agentId", "workspace"] as const) {
      const { value, from } = each[name];
      ui.say(`  ${name.padEnd(10)} ${value ?? "none"}${from ? ui.dim(`  (${from})`) : ""}`);
    }
    ui.say(`  ${"settings".padEnd(10)} ${each.files.credentials ?? "none: HOME is not set"}`);
    ui.say(`  ${"state".padEnd(10)} ${each.files.state ?? "none: HOME is not set"}`);
    if (each.insecureHttp) ui.warn("The key may be sent over plain HTTP (--insecure-http).");
    if (each.problem) ui.warn(each.problem);
  }
  return Promise.resolve({ code: EXIT.ok, data: context.known.length === 1 ? data[0] : data });
}
