import { checkAgentId, loadSettings } from "../../../../hooks/daemon/settings.ts";
import { keyFor } from "../../../../hooks/daemon/agent_keys.ts";
import { isDirectory } from "../../../../hooks/state/paths.ts";
import { checkDaemon } from "../../doctor/daemon_check.ts";
import type { Harness } from "../../harness.ts";
import { changeAgents, projectPaths, withAgent } from "../install/agent_table.ts";
import { agentArgument, agentHarnesses } from "../install/agent_arguments.ts";
import { type Context, EXIT, type Outcome, UserError } from "../command.ts";
import { givenKey } from "../install/given_key.ts";

/** Stores another agent: its key, and the directories whose sessions belong to it. */
export async function run(context: Context): Promise<Outcome> {
  const { flags, host } = context;
  const id = agentArgument(context);
  const checked = checkAgentId(id);
  if ("problem" in checked) throw new UserError(checked.problem, EXIT.usage);
  const harnesses = agentHarnesses(context);
  const apiKey = await givenKey(context);
  const project = flags.text("project");
  const projects = project === undefined ? undefined : await projectPaths(project, host);
  if (projects?.[0] !== undefined && !isDirectory(projects[0])) {
    throw new UserError(`There is no directory ${projects[0]}.`, EXIT.usage, "--project DIR");
  }
  const reports = [];
  for (const harness of harnesses) {
    await changeAgents(harness, host, (agents) => withAgent(agents, id, { apiKey, projects }));
    reports.push(await report(context, harness, id, projects));
  }
  const code = reports.some(({ accepted }) => accepted === false) ? EXIT.degraded : EXIT.ok;
  return { code, data: reports.length === 1 ? reports[0] : reports };
}

async function report(
  { ui, host }: Context,
  harness: Harness,
  id: string,
  projects: readonly string[] | undefined,
) {
  const settings = loadSettings(harness.id, host);
  const agents = settings.keys?.agents ?? [];
  const stored = agents.find((agent) => agent.id === id);
  const name = ui.bold(harness.displayName);
  if (projects?.[0] === undefined) {
    ui.ok(`${name}: agent ${ui.bold(id)} is stored`);
    if (stored?.projects.length === 0) {
      ui.next(
        `It is used where SIGNET_AGENT_ID is ${id}. To use it for a directory, add --project DIR.`,
      );
    }
  } else ui.ok(`${name}: sessions in ${ui.path(projects[0])} use agent ${ui.bold(id)}`);
  if (stored?.apiKey === undefined) ui.next("It has no key of its own, so it uses the installed key.");
  const check = await ui.during(
    "Contacting the daemon",
    checkDaemon({
      ...settings,
      agentId: id,
      ...keyFor({ keys: settings.keys, agentId: "" }, { agentId: id }),
    }, 3_000),
  );
  if (check.kind !== "ok") ui.warn(check.message);
  return {
    harness: harness.id,
    agentId: id,
    projects: stored?.projects ?? [],
    ownKey: stored?.apiKey !== undefined,
    accepted: check.kind === "ok" ? true : check.kind === "rejected" ? false : undefined,
  };
}
