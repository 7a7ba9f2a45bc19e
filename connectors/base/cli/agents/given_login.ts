import type { NatsLogin } from "../../agents/nats/nats_settings.ts";
import { type Context, EXIT, UserError } from "../command.ts";

/** A creds file has a few kilobytes; longer input is something else. */
const MAX_BYTES = 65_536;

/** The login that the flags give; undefined without any. `user` is used if the flags name none. */
export async function givenLogin({ flags }: Context, user?: string): Promise<NatsLogin | undefined> {
  const secrets = ["password-file", "token-file", "nkey-file", "creds"].filter((name) =>
    flags.text(name) !== undefined
  );
  if (flags.on("password-stdin")) secrets.push("password-stdin");
  const [way, second] = secrets;
  if (second !== undefined) {
    throw new UserError(`The login was given twice: --${way} and --${second}.`, EXIT.usage);
  }
  if (way === undefined) {
    if (flags.text("user") === undefined) return undefined;
    throw new UserError("--user needs a password.", EXIT.usage, "--password-file FILE, or --password-stdin");
  }
  const text = way === "password-stdin" ? await readStdin() : await readFile(flags.text(way) ?? "");
  const secret = text.trim();
  if (secret === "") throw new UserError(`--${way}: there is nothing in it.`, EXIT.usage);
  if (way === "creds") return { creds: checked(way, text, /BEGIN NATS USER JWT[^]*BEGIN USER NKEY SEED/) };
  if (way === "nkey-file") return { seed: checked(way, secret, /^SU[A-Z2-7]{50,}$/) };
  if (way === "token-file") return { token: secret };
  const name = flags.text("user") ?? user;
  if (name === undefined) throw new UserError("Whose password is it?", EXIT.usage, "--user NAME");
  return { user: name, password: secret };
}

function checked(flag: string, text: string, form: RegExp): string {
  if (form.test(text)) return text;
  const what = flag === "creds" ? "a creds file of NATS" : "the seed of a user's nkey, which begins with SU";
  throw new UserError(`--${flag}: this is not ${what}.`, EXIT.usage);
}

/** The text of a file that a flag names. */
export async function readFile(path: string): Promise<string> {
  try {
    const { isFile, size } = await Deno.stat(path);
    if (!isFile || size > MAX_BYTES) throw new UserError(`${path} is not a file with a login.`, EXIT.usage);
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const why = error instanceof Deno.errors.NotFound ? "file not found" : "it cannot be read";
    throw new UserError(`${path}: ${why}.`, EXIT.usage);
  }
}

async function readStdin(): Promise<string> {
  if (Deno.stdin.isTerminal()) return await askHidden();
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of Deno.stdin.readable) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BYTES) throw new UserError("The text on standard input is too long.", EXIT.usage);
  }
  return text;
}

/** Asks on a terminal, without showing what is typed. */
async function askHidden(): Promise<string> {
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({ message: "Password" });
  if (isCancel(answer)) throw new UserError("Cancelled. Nothing was changed.", EXIT.interrupted);
  return answer ?? "";
}
