import { changeAgents, projectPaths, readAgents, withoutAgent } from "../install/agent_table.ts";
import { agentArgument, agentHarnesses } from "../install/agent_arguments.ts";
import { type Context, EXIT, type Outcome, UserError } from "../command.ts";

/** Forgets an agent and its key, or takes a directory from it. */
export async function run(context: Context): Promise<Outcome> {
  const { flags, host, ui } = context;
  const id = agentArgument(context);
  const project = flags.text("project");
  const projects = project === undefined ? undefined : await projectPaths(project, host);
  const harnesses = agentHarnesses(context);
  for (const harness of harnesses) {
    const entry = readAgents(harness, host).find((agent) => agent.id === id);
    if (entry === undefined) {
      throw new UserError(
        `${harness.displayName} has no agent ${id}.`,
        EXIT.failed,
        `${harness.binary} agent list`,
      );
    }
    if (projects && !projects.some((each) => entry.projects.includes(each))) {
      throw new UserError(`Agent ${id} does not have the directory ${projects[0]}.`, EXIT.failed);
    }
    await changeAgents(harness, host, (agents) => withoutAgent(agents, id, projects));
    const name = ui.bold(harness.displayName);
    if (projects === undefined) ui.ok(`${name}: agent ${ui.bold(id)} and its key are removed`);
    else ui.ok(`${name}: ${ui.path(projects[0] ?? "")} no longer uses agent ${ui.bold(id)}`);
  }
  const data = harnesses.map(({ id: harness }) => ({ harness, agentId: id, projects }));
  return { code: EXIT.ok, data: data.length === 1 ? data[0] : data };
}
