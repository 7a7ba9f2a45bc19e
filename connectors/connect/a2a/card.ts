import { AgentCard } from "@a2a-js/sdk";
import { openMesh } from "../../base/agents/mesh.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { DEFAULT_PORT } from "./serve_options.ts";
import { agentCard } from "./server/agent_card.ts";
import { findHarness } from "./work/find_harness.ts";

/** Prints the agent card that the gateway serves. */
export function run({ args, flags, host, known, ui }: Context): Promise<Outcome> {
  const [handle = ""] = args;
  const harness = findHarness(openMesh(host), handle, known);
  if (handle !== "" && harness === undefined) {
    throw new UserError(`There is no agent ${handle}.`, EXIT.usage, "agents lists who is there");
  }
  const base = (flags.text("url") ?? `http://127.0.0.1:${DEFAULT_PORT}`).replace(/\/+$/, "");
  const url = handle === "" ? base : `${base}/agents/${encodeURIComponent(handle)}`;
  const card = AgentCard.toJSON(agentCard({ url, harness }));
  ui.block(`${JSON.stringify(card, undefined, 2)}\n`);
  return Promise.resolve({ code: EXIT.ok, data: card });
}
