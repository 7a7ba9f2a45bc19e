import { DaemonClient } from "../../../../hooks/daemon/client.ts";
import { describe } from "../../../../hooks/daemon/describe.ts";
import type { Settings } from "../../../../hooks/daemon/settings.ts";
import { readPolicy, registerIsolated } from "../../agents/transport/read_policy.ts";
import { type Context, EXIT, UserError } from "../command.ts";

/**
 * For `install --isolated`: registers the agent as isolated before its first hook,
 * which would register it as shared. Throws if that is not possible.
 */
export async function isolateAgent(
  { ui }: { ui: Pick<Context["ui"], "ok" | "bold"> },
  settings: Settings,
): Promise<void> {
  const client = DaemonClient.from(settings);
  const { agentId, url } = settings;
  const refuse = (message: string, next: string) =>
    new UserError(message, EXIT.failed, `Nothing was written. ${next}`);
  const before = await readPolicy(client);
  switch (before.kind) {
    case "not separated":
      throw refuse(
        `The daemon at ${url} does not separate agents, so agent ${agentId} cannot be isolated.`,
        "Signet 0.58 keeps all memories in one place: use a newer one, or install without --isolated.",
      );
    case "failed":
      throw refuse(describe(before.reply, url).message, "Install without --isolated, or try again.");
    case "registered":
      if (before.policy === "isolated") return;
      throw refuse(
        `Agent ${agentId} exists at ${url} and is ${before.policy}; this cannot be changed.`,
        "Choose another --agent-id, or install without --isolated.",
      );
    case "unregistered": {
      const failed = await registerIsolated(client);
      if (failed !== undefined) {
        throw refuse(
          `Agent ${agentId} could not be isolated. ${describe(failed, url).message}`,
          "Use an admin key for this, or install without --isolated.",
        );
      }
      ui.ok(`Registered agent ${ui.bold(agentId)} as isolated: no other agent reads its memories`);
    }
  }
}
