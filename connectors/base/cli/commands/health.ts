import { type State, stateOf } from "../../install/install_state.ts";
import { commandLine } from "../command_line.ts";
import { type Context, EXIT, type Outcome } from "../command.ts";
import { installedSite } from "../installed_site.ts";
import { programVersion } from "../../versions/program_version.ts";
import { selectedHarnesses } from "../selected_harnesses.ts";

export interface Health {
  readonly harness: string;
  readonly status: "healthy" | "degraded" | "needs_setup";
  readonly checks: {
    readonly installed: boolean;
    readonly daemon: boolean;
    readonly key: boolean;
    readonly spool: boolean;
  };
  readonly next_steps: string[];
}

/** The state of a harness in one word, the checks behind it, and what to do. */
export function healthOf(state: State, call: (command: string) => string): Health {
  const { connected, daemon, hooks, config } = state;
  const checks = {
    installed: connected,
    daemon: daemon.kind === "ok" || daemon.kind === "rejected",
    key: daemon.kind === "ok",
    spool: (hooks?.spool.depth ?? 0) === 0 && (hooks?.spool.rejected ?? 0) === 0,
  };
  const next = [...config.problems];
  if (!connected) next.push(`${call("install")} --url URL --api-key-file FILE --agent-id ID`);
  if (daemon.kind !== "ok") next.push(daemon.message);
  if (!checks.spool) next.push(call("flush"));
  const status = !connected ? "needs_setup" : Object.values(checks).every(Boolean) ? "healthy" : "degraded";
  return { harness: state.harness, status, checks, next_steps: next };
}

export async function run(context: Context): Promise<Outcome> {
  const { ui, host, known } = context;
  const all: Health[] = [];
  for (const harness of selectedHarnesses(context, "present")) {
    const found = await programVersion(harness, host);
    const state = stateOf(harness, await installedSite(context, harness, found?.version), host);
    const health = healthOf(
      await ui.during(`Checking ${harness.displayName}`, state),
      commandLine(context, harness.id),
    );
    all.push(health);
    const predicate = health.status === "needs_setup" ? "needs to be set up" : `is ${health.status}`;
    const line = `${ui.bold(harness.displayName)} ${predicate}`;
    (health.status === "healthy" ? ui.ok : ui.warn)(line);
    for (const step of health.next_steps) ui.next(step);
  }
  const good = all.length > 0 && all.every(({ status }) => status === "healthy");
  return { code: good ? EXIT.ok : EXIT.degraded, data: known.length === 1 ? all[0] : all };
}
