import { isPlainRemote } from "../../../hooks/daemon/settings.ts";
import type { Surroundings } from "../../../hooks/state/paths.ts";
import { originalsIn } from "../install/original_signet.ts";
import { versionOf } from "../programs/find_program.ts";
import type { Harness, Site } from "../harness.ts";
import { entryProblem, type State } from "../install/install_state.ts";
import { checkVersion } from "../versions/check_version.ts";
import { VERSION } from "../../../hooks/daemon/version.ts";
import { checkHooks } from "./check_hooks.ts";
import { checkSharing } from "./check_sharing.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { probeMcp } from "./probe_mcp.ts";

/** Checks everything about one harness, from the settings to the running hooks. */
export async function* examine(
  harness: Harness,
  site: Site,
  state: State,
  host: Surroundings,
): AsyncGenerator<Diagnosis> {
  yield* settings(state);
  yield* checkVersion(harness, site.version);
  yield* entries(harness, site, state);
  if (!state.connected) return;
  yield* otherInstalls(harness, site);
  yield await program(site);
  yield* checkHooks(harness, site, state, host);
  if (state.daemon.kind === "ok") yield* checkSharing(state.settings);
  if (state.config.entries.some(({ path }) => path.at(-1) === "signet")) {
    yield await probeMcp(site.argv("mcp"));
  }
  if (harness.inspector) yield* await (await harness.inspector()).inspect(site);
  if (harness.assumed) {
    yield {
      ok: true,
      message: `Not verified on a running ${harness.displayName}: ${harness.assumed}`,
    };
  }
}

function* settings({ settings, daemon, here }: State): Generator<Diagnosis> {
  if (settings.problem) {
    yield { ok: false, message: settings.problem, fix: "run install again with --url and a key" };
  } else if (daemon.kind === "ok") {
    yield { ok: true, message: `The daemon at ${settings.url} accepts agent ${settings.agentId}` };
  } else {
    const fix = daemon.kind === "rejected" && daemon.owner !== undefined
      ? `run install again with --agent-id ${daemon.owner}, or with a key of agent ${settings.agentId}`
      : daemon.kind === "rejected"
      ? "create a new key (signet-connect api-key create) and run install again"
      : "start the daemon, or run install with another --url";
    yield { ok: false, message: daemon.message, fix };
  }
  if (here.matters) yield { ok: true, message: here.sentence };
  if (here.warning) yield { ok: false, message: here.warning, fix: here.fix };
  if (isPlainRemote(settings.url)) {
    yield {
      ok: false,
      message: `${
        settings.apiKey === undefined ? "Prompts are" : "The key is"
      } sent to ${settings.url} unencrypted`,
      fix: "use https, and install without --insecure-http",
    };
  }
}

function* entries(harness: Harness, site: Site, { config, connected }: State): Generator<Diagnosis> {
  for (const problem of config.problems) yield { ok: false, message: problem, fix: "fix that line by hand" };
  if (config.problems.length === 0 && config.entries.every(({ state }) => state === "missing")) {
    yield { ok: false, message: "Not connected: none of our entries are in its config" };
    return;
  }
  for (const entry of config.entries) {
    const { file, path, state, line } = entry;
    if (state === "present") continue;
    const where = `${file}${line ? `:${line}` : ""}`;
    const what = path.length ? path.join(".") : "it";
    const message = `${where}: ${what} ${entryProblem(harness, site, entry)}`;
    if (state === "foreign") {
      yield {
        ok: false,
        message: `${message}: something else uses that name`,
        fix: "remove that entry, or rename it",
      };
    } else yield { ok: false, message, fix: "run install again", fixable: true };
  }
  if (connected && config.entries.every(({ state }) => state === "present")) {
    yield { ok: true, message: `All ${config.entries.length} entries are in the config` };
  }
}

function* otherInstalls(harness: Harness, site: Site): Generator<Diagnosis> {
  for (const { file, line, command } of originalsIn(harness.targets(site), site)) {
    yield {
      ok: false,
      message:
        `${file}:${line}: the original Signet is also connected (${command}), so everything is sent twice`,
      fix: "install --replace-signet-cli",
    };
  }
}

async function program(site: Site): Promise<Diagnosis> {
  const [path = ""] = site.argv();
  const version = await versionOf(path);
  if (version === VERSION) return { ok: true, message: `${path} is version ${VERSION}` };
  const message = version === undefined
    ? `${path}, which the hooks call, cannot be run`
    : `${path} is version ${version}, but this is ${VERSION}`;
  return { ok: false, message, fix: "run install again", fixable: true };
}
