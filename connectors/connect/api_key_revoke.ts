import { type Context, EXIT, type Outcome, UserError } from "../base/cli/command.ts";
import { confirm } from "../base/cli/confirm.ts";
import { type ApiKey, bodyOf, listKeys, operator } from "./api_keys.ts";

/** The one key that is meant; a prefix that fits several is refused with what it fits. */
export function pick(keys: readonly ApiKey[], wanted: string): ApiKey {
  const exact = keys.find(({ id, prefix }) => id === wanted || prefix === wanted);
  if (exact) return exact;
  const fits = keys.filter(({ id, prefix }) =>
    id.startsWith(wanted) || prefix.startsWith(wanted) || prefix.replace(/^sig_sk_/, "").startsWith(wanted)
  );
  const [only] = fits;
  if (only && fits.length === 1) return only;
  throw new UserError(
    fits.length === 0 ? `No key has the id or prefix ${wanted}.` : `${wanted} fits ${fits.length} keys.`,
    EXIT.usage,
    fits.length === 0
      ? "signet-connect api-key list --mode admin"
      : fits.map(({ prefix, name }) => `${prefix} (${name})`).join(", "),
  );
}

/** Ends a key, after asking. */
export async function run(context: Context): Promise<Outcome> {
  const { args, ui, flags } = context;
  const [wanted] = args;
  if (!wanted) throw new UserError("Which key?", EXIT.usage, "signet-connect api-key list --mode admin");
  const client = await operator(context);
  const key = pick(await listKeys(client), wanted);
  if (key.revokedAt) {
    ui.ok(`${key.prefix} (${key.name}) was revoked already, at ${key.revokedAt}`);
    return { code: EXIT.ok, data: key };
  }
  if (
    !flags.on("yes") && !await confirm(ui, `Revoke ${key.prefix} (${key.name})? Its connectors stop at once.`)
  ) {
    throw new UserError("Nothing was revoked.", EXIT.failed, "Add --yes to revoke without a question.");
  }
  const reply = await client.request("DELETE", `/api/auth/api-keys/${encodeURIComponent(key.id)}`);
  bodyOf(reply, client, "revoke the key");
  ui.ok(`Revoked ${ui.bold(key.prefix)} (${key.name})`);
  return { code: EXIT.ok, data: { ...key, revokedAt: new Date().toISOString() } };
}
