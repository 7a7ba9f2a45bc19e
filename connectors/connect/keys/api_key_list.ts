import { type Context, EXIT, type Outcome } from "../../base/cli/command.ts";
import { table } from "../../base/cli/output/layout.ts";
import { type ApiKey, listKeys, operator } from "./api_keys.ts";

export function keyState(key: ApiKey, now: Date): string {
  if (key.revokedAt) return "revoked";
  if (key.expiresAt && new Date(key.expiresAt) <= now) return "expired";
  return "active";
}

/** Lists the daemon's keys, without their secrets. */
export async function run(context: Context): Promise<Outcome> {
  const { ui } = context;
  const keys = await listKeys(await operator(context), ui);
  if (keys.length === 0) ui.say("No keys yet.");
  else {
    const now = new Date();
    ui.block(table(
      ["PREFIX", "NAME", "ROLE", "CONNECTOR", "AGENT", "STATE", "LAST USED"],
      keys.map((key) => [
        key.prefix,
        key.name,
        key.role,
        key.connector ?? "any",
        key.agentId ?? "any",
        keyState(key, now),
        key.lastUsedAt?.slice(0, 16).replace("T", " ") ?? "never",
      ]),
      ui,
    ));
  }
  return { code: EXIT.ok, data: { apiKeys: keys } };
}
