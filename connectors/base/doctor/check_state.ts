import type { SpoolReport } from "../../../hooks/report.ts";
import { describeDropped } from "../../../hooks/spool/dropped.ts";
import { age } from "../cli/output/age.ts";
import { plainHttpWarning } from "../cli/status/plain_http.ts";
import type { Harness, Site } from "../harness.ts";
import { entryProblem, type State } from "../install/install_state.ts";
import { originalsIn } from "../install/original/original_signet.ts";
import { checkVersion } from "../versions/check_version.ts";
import { checkAgentsConfig } from "./check_agents_config.ts";
import type { Diagnosis } from "./diagnosis.ts";

/** What can be checked without running a hook: the same findings for `health`, `status` and `doctor`. */
export async function checkState(
  harness: Harness,
  site: Site,
  state: State,
  inspected: readonly Diagnosis[],
): Promise<Diagnosis[]> {
  return [...await checkInstall(harness, site, state), ...inspected, ...checkSpool(state.hooks?.spool)];
}

/** Checks the settings, the daemon and our entries in the harness's config. */
export async function checkInstall(harness: Harness, site: Site, state: State): Promise<Diagnosis[]> {
  return [
    ...settings(state),
    ...checkVersion(harness, site.version).map((finding) => ({ ...finding, id: finding.id ?? "version" })),
    ...entries(harness, site, state),
    ...state.connected ? otherInstalls(harness, site) : [],
    ...state.connected ? await checkAgentsConfig(site) : [],
  ];
}

/** Asks the harness itself whether it would run our hooks; this may start its program. */
export async function inspectHarness(harness: Harness, site: Site, state: State): Promise<Diagnosis[]> {
  if (!state.connected || !harness.inspector) return [];
  const findings = await (await harness.inspector()).inspect(site);
  return findings.map((finding) => ({ ...finding, id: finding.id ?? "harness" }));
}

/** Checks the events that wait on disk. */
export function checkSpool(spool: SpoolReport | undefined): Diagnosis[] {
  if (spool === undefined) return [];
  const { depth, oldestMs = 0, waitingFor, rejected, rejectedDir, dropped } = spool;
  const findings: Diagnosis[] = [];
  if (depth > 0) {
    const events = depth === 1 ? "1 event is waiting" : `${depth} events are waiting`;
    const why = waitingFor ? ` (${waitingFor})` : "";
    findings.push({
      id: "spool",
      ok: false,
      message: `${events} to be delivered, the oldest for ${age(oldestMs)}${why}`,
      fix: "run flush",
    });
  }
  if (rejected > 0) {
    const events = rejected === 1 ? "1 event was" : `${rejected} events were`;
    findings.push({
      id: "rejected-events",
      ok: false,
      message: `${events} rejected by the daemon`,
      fix: `look at ${rejectedDir}, then delete it`,
    });
  }
  for (const each of dropped) {
    findings.push({ id: "dropped-events", ok: false, message: describeDropped(each) });
  }
  if (findings.length > 0) return findings;
  return [{ id: "spool", ok: true, message: "No events are waiting to be delivered" }];
}

function* settings({ settings, daemon, here }: State): Generator<Diagnosis> {
  if (settings.problem) {
    yield {
      id: "settings",
      ok: false,
      message: settings.problem,
      fix: "run install again with --url and a key",
    };
  } else if (daemon.kind === "ok") {
    const message = `The daemon at ${settings.url} accepts agent ${settings.agentId}`;
    yield { id: "daemon", ok: true, message, ms: daemon.ms };
  } else {
    const fix = daemon.kind === "rejected" && daemon.owner !== undefined
      ? `run install again with --agent-id ${daemon.owner}, or with a key of agent ${settings.agentId}`
      : daemon.kind === "rejected"
      ? "create a new key (signet-connect api-key create) and run install again"
      : "start the daemon, or run install with another --url";
    yield { id: daemon.kind === "rejected" ? "key" : "daemon", ok: false, message: daemon.message, fix };
  }
  if (here.matters) yield { id: "agent-here", ok: true, message: here.sentence };
  if (here.warning) yield { id: "agent-here", ok: false, message: here.warning, fix: here.fix };
  const plain = plainHttpWarning(settings);
  if (plain !== undefined) {
    yield {
      id: "plain-http",
      ok: false,
      message: plain,
      fix: "use https, and install without --insecure-http",
    };
  }
}

function* entries(harness: Harness, site: Site, { config, connected }: State): Generator<Diagnosis> {
  for (const problem of config.problems) {
    yield { id: "config", ok: false, message: problem, fix: "fix that line by hand" };
  }
  if (config.problems.length === 0 && config.entries.every(({ state }) => state === "missing")) {
    yield { id: "connected", ok: false, message: "Not connected: none of our entries are in its config" };
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
        id: "entry",
        ok: false,
        message: `${message}: something else uses that name`,
        fix: "remove that entry, or rename it",
      };
    } else yield { id: "entry", ok: false, message, fix: "run install again", fixable: true };
  }
  if (connected && config.entries.every(({ state }) => state === "present")) {
    yield { id: "entries", ok: true, message: `All ${config.entries.length} entries are in the config` };
  }
}

function* otherInstalls(harness: Harness, site: Site): Generator<Diagnosis> {
  for (const { file, line, command } of originalsIn(harness.targets(site), site)) {
    yield {
      id: "original-signet",
      ok: false,
      message:
        `${file}:${line}: the original Signet is also connected (${command}), so everything is sent twice`,
      fix: `run: ${harness.binary} install --replace-signet-cli`,
    };
  }
}
