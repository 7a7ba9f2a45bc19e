import { DaemonClient, type Reply } from "../../hooks/daemon/client.ts";
import { loadSettings } from "../../hooks/daemon/settings.ts";
import { type Context, EXIT, UserError } from "../base/cli/command.ts";
import { givenKey } from "../base/cli/given_key.ts";

/** A key as the daemon describes it; `key` is only set when it is created. */
export interface ApiKey {
  id: string;
  prefix: string;
  name: string;
  role: string;
  connector: string | null;
  harness: string | null;
  agentId: string | null;
  allowedProjects: string[];
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  expiresAt: string | null;
  key?: string;
}

/** A client for key commands: settings from flags, then environment, then a daemon on this machine. */
export async function operator({ flags, host }: Context): Promise<DaemonClient> {
  const settings = loadSettings("connect", host, {
    url: flags.text("url"),
    apiKey: await givenKey(flags),
    insecureHttp: flags.on("insecure-http") || undefined,
  });
  if (settings.problem) throw new UserError(settings.problem, EXIT.usage);
  return DaemonClient.from(settings);
}

/** The answer, or a sentence about why there is none. */
export function bodyOf<T>(reply: Reply<T>, client: DaemonClient, doing: string): T {
  if (reply.kind === "ok") return reply.body;
  if (reply.kind === "http") {
    const said = reply.error ? `: ${reply.error}` : "";
    const key = reply.status === 401 || reply.status === 403;
    throw new UserError(
      `The daemon at ${client.url} refused to ${doing} (${reply.status}${said}).`,
      key ? EXIT.key : EXIT.failed,
      key ? "Give an admin key with --api-key-file or SIGNET_API_KEY." : undefined,
    );
  }
  const reason = "reason" in reply ? reply.reason : reply.kind;
  throw new UserError(
    `The daemon at ${client.url} could not be asked to ${doing}: ${reason}.`,
    EXIT.unreachable,
    "Name the daemon with --url or SIGNET_DAEMON_URL.",
  );
}

export async function listKeys(client: DaemonClient): Promise<ApiKey[]> {
  const reply = await client.request<{ apiKeys?: ApiKey[]; keys?: ApiKey[] }>("GET", "/api/auth/api-keys");
  const body = bodyOf(reply, client, "list keys");
  return body.apiKeys ?? body.keys ?? [];
}
