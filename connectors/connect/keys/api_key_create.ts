import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { quoted } from "../../base/cli/install/given_key.ts";
import { harnessByName } from "../../base/cli/named_harnesses.ts";
import { suggestion } from "../../base/cli/suggestion.ts";
import { checkAgentId } from "../../../hooks/daemon/settings.ts";
import { KeyFile } from "./key_file.ts";
import { type ApiKey, bodyOf, operator } from "./api_keys.ts";

const UNITS: Record<string, number> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A duration such as `30d`, or a date, in the daemon's format. */
export function expiry(text: string, now: Date): string {
  const span = /^(\d{1,5})([hdw])$/.exec(text);
  const time = span ? new Date(now.getTime() + Number(span[1]) * (UNITS[span[2] ?? ""] ?? 0)) : isoTime(text);
  if (Number.isNaN(time.getTime())) {
    throw new UserError(
      `--expires ${text} is neither a date nor a duration.`,
      EXIT.usage,
      "2027-01-31, or 30d",
    );
  }
  if (time <= now) throw new UserError(`--expires ${text} is in the past.`, EXIT.usage);
  return time.toISOString();
}

/** A date means the end of that day. Rejects what `Date` would guess at, such as `12` or 30 February. */
function isoTime(text: string): Date {
  const [, day = "", time] = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? [];
  const known = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(known.getTime()) || !known.toISOString().startsWith(day)) return new Date(NaN);
  return new Date(day + (time ?? "T23:59:59Z"));
}

/** What the hooks and the MCP tools need. A connector key without them cannot modify or forget. */
const CONNECTOR_PERMISSIONS = ["recall", "remember", "modify", "forget", "documents"];
/** Every permission that a daemon knows. */
const KNOWN_PERMISSIONS = [
  ...CONNECTOR_PERMISSIONS,
  "recover",
  "admin",
  "connectors",
  "diagnostics",
  "analytics",
];

/** The permissions to ask for; undefined leaves them to the role. */
export function permissions(
  requested: string | undefined,
  { role, connector }: { role: string; connector: string | undefined },
): string[] | undefined {
  if (requested === undefined) {
    return connector !== undefined && role !== "readonly" ? CONNECTOR_PERMISSIONS : undefined;
  }
  const names = requested.split(",").map((name) => name.trim()).filter((name) => name !== "");
  const unknown = names.filter((name) => !KNOWN_PERMISSIONS.includes(name));
  if (unknown.length > 0 || names.length === 0) {
    throw new UserError(
      names.length === 0
        ? "--permissions names no permission."
        : `There is no permission ${unknown.join(", ")}.`,
      EXIT.usage,
      `one or more of ${KNOWN_PERMISSIONS.join(",")}`,
    );
  }
  return names;
}

/** Creates a key and shows or saves it once. */
export async function run(context: Context): Promise<Outcome> {
  const { flags, ui } = context;
  const name = flags.text("name");
  if (!name) {
    throw new UserError(
      "A key needs a name, so that you can find it in the list.",
      EXIT.usage,
      "--name NAME",
    );
  }
  const connector = connectorId(context);
  const agentId = flags.text("agent-id");
  const checked = agentId === undefined ? undefined : checkAgentId(agentId);
  if (checked && "problem" in checked) throw new UserError(checked.problem, EXIT.usage);
  const expires = flags.text("expires");
  const role = flags.text("role") ?? "agent";
  const asked = permissions(flags.text("permissions"), { role, connector });
  const out = flags.text("out");
  using file = out === undefined ? undefined : KeyFile.create(out);
  const client = await operator(context);
  const request = client.request<{ apiKey?: ApiKey }>("POST", "/api/auth/api-keys", {
    name,
    role,
    permissions: asked,
    connector,
    harness: connector,
    agentId,
    // A real daemon restricts a key by `scope`; `agentId` alone has no effect.
    scope: agentId === undefined ? undefined : { agent: agentId },
    allowedProjects: flags.list("project"),
    expiresAt: expires === undefined ? undefined : expiry(expires, new Date()),
  });
  const reply = await ui.during(`Contacting ${client.url}`, request);
  const { apiKey } = bodyOf(reply, client, "create a key");
  if (!apiKey?.key) {
    throw new UserError(
      `The daemon at ${client.url} created no key: its response contains none.`,
      EXIT.failed,
    );
  }
  const rows: [string, string][] = [
    ["name", apiKey.name],
    ["id", apiKey.id],
    ["prefix", apiKey.prefix],
    ["key", file ? `in ${out}` : apiKey.key],
    ["role", apiKey.role],
    ["connector", apiKey.connector ?? "any"],
    ["agent", apiKey.agentId ?? "any"],
    ["allows", apiKey.permissions?.join(", ") || `what the role ${apiKey.role} allows`],
  ];
  const lines = rows.map(([label, value]) => `  ${`${label}:`.padEnd(11)}${value}\n`).join("");
  file?.save(apiKey.key);
  const { key, ...described } = apiKey;
  // The key is shown only once, so it is printed even with --quiet.
  if (!flags.on("json") && !(file && flags.on("quiet"))) {
    const save = file ? "" : "\nSave this key now. It will not be shown again.";
    console.log(`API key created:\n\n${lines}${save}`);
  }
  const next = [
    `signet-connect install ${connector ?? "--all"} --url ${client.url}`,
    ...agentId ? [`--agent-id ${agentId}`] : [],
    out === undefined ? "--api-key-stdin" : `--api-key-file ${quoted(out)}`,
  ];
  ui.next(`To use it on the connector's machine, run: ${ui.bold(next.join(" "))}`);
  return { code: EXIT.ok, data: file ? { ...described, file: out } : { ...described, key } };
}

/** The harness that `--connector` names. */
function connectorId({ flags, known }: Context): string | undefined {
  const name = flags.text("connector");
  if (name === undefined) return undefined;
  const harness = harnessByName(known, name);
  if (harness) return harness.id;
  const ids = known.map(({ id }) => id);
  const near = suggestion(name, ids);
  throw new UserError(
    `There is no connector ${name}.${near ? ` Did you mean ${near}?` : ""}`,
    EXIT.usage,
    `one of ${ids.join(", ")}`,
  );
}
