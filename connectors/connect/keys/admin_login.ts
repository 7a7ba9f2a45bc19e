import { DaemonClient } from "../../../hooks/daemon/client.ts";
import { isMissingRoute } from "../../../hooks/daemon/describe.ts";
import { keyAllowed, type Settings } from "../../../hooks/daemon/settings.ts";
import { type Context, EXIT, UserError } from "../../base/cli/command.ts";
import { failure } from "./admin_failure.ts";

/** A password is short; longer input is something else. */
const MAX_PASSWORD_BYTES = 4096;

/**
 * A client with the token that the daemon gives its admin. Neither the password
 * nor the token is stored; the token is good for this call.
 */
export async function adminLogin(
  context: Context,
  settings: Settings,
  username: string,
): Promise<DaemonClient> {
  const { url, insecureHttp } = settings;
  if (!keyAllowed(url, insecureHttp ?? false)) {
    throw new UserError(`The password is not sent to ${url} over plain http.`, EXIT.usage, "Use https.");
  }
  const password = await adminPassword(context, username);
  const reply = await DaemonClient.from({ ...settings, apiKey: undefined })
    .request<{ token?: unknown }>("POST", "/api/auth/login", { username, password });
  if (reply.kind === "http" && (reply.status === 400 || isMissingRoute(reply))) {
    throw new UserError(
      `The daemon at ${url} has no admin login${reply.error ? `: ${reply.error}` : ""}.`,
      EXIT.failed,
      "A daemon in auth mode local needs neither login nor key. Signet 0.58 has no admin login.",
    );
  }
  if (reply.kind === "http" && reply.status === 401) {
    throw new UserError(
      `The daemon at ${url} does not accept this admin name and password.`,
      EXIT.key,
      "They are SIGNET_ADMIN_USERNAME and SIGNET_ADMIN_PASSWORD of the daemon.",
    );
  }
  if (reply.kind !== "ok") throw failure(reply, url, "log in");
  const { token } = reply.body;
  if (typeof token !== "string" || token === "") {
    throw new UserError(`The daemon at ${url} answered the login without a token.`, EXIT.failed);
  }
  return DaemonClient.from({ ...settings, apiKey: token });
}

async function adminPassword({ flags, ui }: Context, username: string): Promise<string> {
  if (flags.on("admin-password-stdin")) return await readPassword();
  if (!ui.interactive) {
    throw new UserError(
      "The admin password cannot be asked for without a terminal.",
      EXIT.usage,
      "Give it on standard input, with --admin-password-stdin.",
    );
  }
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({ message: `Password of ${username}` });
  if (isCancel(answer)) throw new UserError("Cancelled. Nothing was changed.", EXIT.interrupted);
  return answer ?? "";
}

async function readPassword(): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of Deno.stdin.readable) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_PASSWORD_BYTES) {
      throw new UserError("The text on standard input is too long for a password.", EXIT.usage);
    }
  }
  const password = text.replace(/\r?\n$/, "");
  if (password === "") throw new UserError("The admin password on standard input is empty.", EXIT.usage);
  return password;
}
