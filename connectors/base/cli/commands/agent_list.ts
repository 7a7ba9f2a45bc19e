import { loadSettings } from "../../../../hooks/daemon/settings.ts";
import { agentHere } from "../../install/agent_here.ts";
import type { Harness } from "../../harness.ts";
import { type Context, EXIT, type Outcome } from "../command.ts";
import { keyTail } from "../output/key_tail.ts";
import { table } from "../output/layout.ts";

/** Lists the agents of each harness: the installed one and those with directories. */
export function run(context: Context): Promise<Outcome> {
  const { ui, harnesses, known } = context;
  const all = (harnesses.length > 0 ? harnesses : known).map((harness) => describe(context, harness));
  for (const { name, agents, here } of all) {
    if (known.length > 1) ui.say(ui.bold(name));
    ui.block(table(
      ["AGENT", "KEY", "USED FOR"],
      agents.map(({ id, key, installed, projects }) => [
        id,
        key ?? (installed ? "none" : "the installed key"),
        [...installed ? ["everything else"] : [], ...projects].join(", ") || `SIGNET_AGENT_ID=${id}`,
      ]),
      ui,
    ));
    ui.next(here.sentence);
    if (here.warning) ui.warn(here.warning);
  }
  const data = all.map(({ harness, agents, here }) => ({ harness, agents, here }));
  return Promise.resolve({ code: EXIT.ok, data: data.length === 1 ? data[0] : data });
}

function describe({ host }: Context, harness: Harness) {
  const { keys } = loadSettings(harness.id, host);
  const installed = keys?.installed;
  const others = keys?.agents ?? [];
  const own = others.find(({ id }) => id === installed?.agentId);
  return {
    harness: harness.id,
    name: harness.displayName,
    here: agentHere(harness, host),
    agents: [
      {
        id: installed?.agentId ?? "default",
        installed: true,
        key: keyTail(own?.apiKey ?? installed?.apiKey),
        projects: own?.projects ?? [],
      },
      ...others.filter((agent) => agent !== own).map(({ id, apiKey, projects }) => {
        return { id, installed: false, key: keyTail(apiKey), projects };
      }),
    ],
  };
}
