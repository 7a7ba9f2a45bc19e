import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { confirm } from "../../base/cli/output/confirm.ts";
import { type ApiKey, bodyOf, listKeys, operator } from "./api_keys.ts";

/** The key with this id or prefix; an ambiguous prefix is an error that lists the matches. */
export function findKey(keys: readonly ApiKey[], wanted: string): ApiKey {
  const exact = keys.find(({ id, prefix }) => id === wanted || prefix === wanted);
  if (exact) return exact;
  const matches = keys.filter(({ id, prefix }) =>
    id.startsWith(wanted) || prefix.startsWith(wanted) || prefix.replace(/^sig_sk_/, "").startsWith(wanted)
  );
  const [only] = matches;
  if (only && matches.length === 1) return only;
  throw new UserError(
    matches.length === 0
      ? `No key has the id or prefix ${wanted}.`
      : `${wanted} matches ${matches.length} keys.`,
    EXIT.usage,
    matches.length === 0
      ? "signet-connect api-key list --mode admin"
      : matches.map(({ prefix, name }) => `${prefix} (${name})`).join(", "),
  );
}

/** Revokes a key, after confirmation. */
export async function run(context: Context): Promise<Outcome> {
  const { args, ui, flags } = context;
  const [wanted] = args;
  if (!wanted) {
    throw new UserError("No key was given.", EXIT.usage, "signet-connect api-key list --mode admin");
  }
  const client = await operator(context);
  const key = findKey(await listKeys(client, ui), wanted);
  if (key.revokedAt) {
    ui.ok(`${key.prefix} (${key.name}) was already revoked at ${key.revokedAt}`);
    return { code: EXIT.ok, data: key };
  }
  if (
    !flags.on("yes") &&
    !await confirm(ui, `Revoke ${key.prefix} (${key.name})? Connectors that use it stop working immediately.`)
  ) {
    throw new UserError("Nothing was revoked.", EXIT.failed, "Add --yes to revoke without confirmation.");
  }
  const request = client.request("DELETE", `/api/auth/api-keys/${encodeURIComponent(key.id)}`);
  const reply = await ui.during(`Contacting ${client.url}`, request);
  bodyOf(reply, client, "revoke the key");
  ui.ok(`Revoked ${ui.bold(key.prefix)} (${key.name})`);
  return { code: EXIT.ok, data: { ...key, revokedAt: new Date().toISOString() } };
}
