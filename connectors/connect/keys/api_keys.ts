import { DaemonClient, type Reply } from "../../../hooks/daemon/client.ts";
import { loadSettings } from "../../../hooks/daemon/settings.ts";
import { type Context, EXIT, UserError } from "../../base/cli/command.ts";
import type { Ui } from "../../base/cli/output/ui.ts";
import { givenKey } from "../../base/cli/install/given_key.ts";
import { failure } from "./admin_failure.ts";
import { adminLogin } from "./admin_login.ts";

/** A key as the daemon describes it; `key` is only set when it is created. */
export interface ApiKey {
  id: string;
  prefix: string;
  name: string;
  role: string;
  permissions?: string[];
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

/**
 * A client for key commands: settings from flags, then environment, then a daemon
 * on this machine. With `--admin-user` it logs in as the daemon's admin.
 */
export async function operator(context: Context): Promise<DaemonClient> {
  const { flags, host } = context;
  const username = flags.text("admin-user");
  const settings = loadSettings("connect", host, {
    url: flags.text("url"),
    apiKey: await givenKey(context),
    insecureHttp: flags.on("insecure-http") || undefined,
  });
  if (settings.problem) throw new UserError(settings.problem, EXIT.usage);
  if (username !== undefined) return await adminLogin(context, settings, username);
  if (flags.on("admin-password-stdin")) {
    throw new UserError("--admin-password-stdin needs --admin-user NAME.", EXIT.usage);
  }
  return DaemonClient.from(settings);
}

/** The body of a successful reply; throws a UserError otherwise. */
export function bodyOf<T>(reply: Reply<T>, client: DaemonClient, doing: string): T {
  if (reply.kind === "ok") return reply.body;
  throw failure(reply, client.url, doing);
}

export async function listKeys(client: DaemonClient, ui: Ui): Promise<ApiKey[]> {
  const request = client.request<{ apiKeys?: ApiKey[]; keys?: ApiKey[] }>("GET", "/api/auth/api-keys");
  const reply = await ui.during(`Contacting ${client.url}`, request);
  const body = bodyOf(reply, client, "list keys");
  return body.apiKeys ?? body.keys ?? [];
}
