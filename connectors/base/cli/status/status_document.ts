import { keyTail } from "../output/key_tail.ts";
import { agentsStatus } from "./agents_status.ts";
import type { HarnessStatus, StatusView } from "./status_view.ts";

/** What `status --json` prints. */
export function statusDocuments({ shown, forge }: StatusView) {
  return [...shown.map(harnessDocument), ...forge ? [forge] : []];
}

function harnessDocument(status: HarnessStatus) {
  const { state, installed, version, verdict, backups, findings } = status;
  const { settings, config, daemon, hooks, connected, here } = state;
  return {
    harness: state.harness,
    version,
    status: verdict.status,
    checks: verdict.checks,
    installed,
    connected,
    daemon: { url: settings.url, ...daemon },
    agentId: settings.agentId,
    here: { directory: here.directory, agentId: here.agentId, from: here.from, warning: here.warning },
    agents: agentsStatus(status),
    key: keyTail(settings.apiKey),
    insecureHttp: settings.insecureHttp,
    entries: config.entries.map(({ file, path, state, line }) => ({
      file,
      path: path.join("."),
      state,
      line,
    })),
    problems: config.problems,
    hooks: hooks?.events,
    spool: hooks?.spool,
    breaker: hooks?.breaker,
    log: hooks?.log,
    backups,
    findings,
    nextSteps: verdict.nextSteps,
  };
}
