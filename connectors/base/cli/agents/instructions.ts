import { rulesText } from "../../../../hooks/agents/config/rules_text.ts";
import type { AgentSession } from "../../../../hooks/agents/sessions/session.ts";
import { nameText } from "../../../../hooks/agents/turn_text.ts";
import type { Surroundings } from "../../../../hooks/state/paths.ts";
import { configFiles } from "../../agents/config/config_store.ts";

/** The instructions that a session gets at its start, without its messages. */
export async function instructionsText(
  session: Pick<AgentSession, "harness" | "key" | "agentId" | "project">,
  host: Surroundings,
): Promise<string> {
  const rules = rulesText(await configFiles(host, session.project), session);
  return [nameText(session), rules].filter((text) => text !== "").join("\n\n");
}
