import type { Facet, Harness, Support } from "../../harness.ts";
import { type Context, EXIT, type Outcome } from "../command.ts";
import { locksText } from "../status/locks_status.ts";
import { columns } from "../output/layout.ts";
import { manifest } from "../manifest.ts";

export function supportText(support: Support): string {
  if (support === "yes") return "yes";
  return "partly" in support ? `partly: ${support.partly}` : `no: ${support.no}`;
}

/** When messages from other agents arrive, with `install --agents`. */
export function agentsText({ agents, displayName }: Pick<Harness, "agents" | "displayName">): string {
  if (agents === undefined) return `no: ${displayName} has no hooks for it`;
  return `messages arrive ${agents.abilities.working}; an idle agent is ${agents.abilities.idle}`;
}

/** Prints what each harness supports, and the commands. */
export function run({ binary, known, commands, ui }: Context): Promise<Outcome> {
  for (const harness of known) {
    const facets = Object.entries(harness.fidelity) as [Facet, Support][];
    ui.say(`${ui.bold(harness.displayName)} (${harness.id})`);
    const rows = facets.map(([facet, support]) => [facet, supportText(support)] as const);
    const more = [["agents", agentsText(harness)], ["locks", locksText(harness)]] as const;
    ui.block(columns([...rows, ...more], ui.width));
    if (harness.assumed) ui.next(`assumed: ${harness.assumed}`);
  }
  ui.say("");
  ui.block(
    columns(
      commands.map((command) =>
        [command.id.replaceAll(".", " "), `${command.mode}: ${command.summary}`] as const
      ),
      ui.width,
    ),
  );
  return Promise.resolve({ code: EXIT.ok, data: manifest(binary, known, commands) });
}
