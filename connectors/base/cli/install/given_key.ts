import { type Context, EXIT, UserError } from "../command.ts";
import type { Ui } from "../output/ui.ts";

/** A key is short; longer input is not a key. */
const MAX_KEY_BYTES = 4096;

const CREATE_KEY = "Create a key with: signet-connect api-key create --mode admin --name NAME";

/** The key given by one of the three flags, or undefined. */
export async function givenKey({ flags, ui, host }: Pick<Context, "flags" | "ui" | "host">): Promise<
  string | undefined
> {
  const file = flags.text("api-key-file");
  const ways = [flags.text("api-key") !== undefined, file !== undefined, flags.on("api-key-stdin")];
  if (ways.filter(Boolean).length > 1) {
    throw new UserError(
      "The key was given more than once.",
      EXIT.usage,
      "Use one of --api-key, --api-key-file, --api-key-stdin.",
    );
  }
  if (!ways.some(Boolean)) return undefined;
  if (file !== undefined && host.os !== "windows") warnIfShared(file, ui);
  const text = flags.on("api-key-stdin")
    ? await readStdin()
    : file !== undefined
    ? await readFile(file)
    : flags.text("api-key") ?? "";
  const key = text.trim();
  const where = file === undefined ? "" : ` in ${file}`;
  if (key === "") throw new UserError(`The key${where} is empty.`, EXIT.usage, CREATE_KEY);
  // A header cannot contain these, and a pasted line break is a common mistake.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UserError(
      `The key${where} contains a space or a control character.`,
      EXIT.usage,
      "Copy it again: a key is one word, shown once when it was created.",
    );
  }
  return key;
}

async function readFile(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    const why = error instanceof Deno.errors.NotFound
      ? "file not found"
      : error instanceof Error
      ? error.message
      : String(error);
    throw new UserError(`The key file ${path} cannot be read: ${why}.`, EXIT.usage, CREATE_KEY);
  }
}

/** A key that others can read is not a secret. */
function warnIfShared(path: string, ui: Ui): void {
  try {
    if (((Deno.statSync(path).mode ?? 0) & 0o077) === 0) return;
  } catch {
    return; // reading it reports why
  }
  ui.warn(`Other users can read the key file ${path}.`);
  ui.hint(`To keep it private, run: chmod 600 ${quoted(path)}`);
}

/** A path as one word of a shell. */
export function quoted(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Asks on a terminal, without showing what is typed. */
async function askHidden(): Promise<string> {
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({ message: "API key" });
  if (isCancel(answer)) throw new UserError("Cancelled. Nothing was changed.", EXIT.interrupted);
  return answer ?? "";
}

async function readStdin(): Promise<string> {
  if (Deno.stdin.isTerminal()) return await askHidden();
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of Deno.stdin.readable) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_KEY_BYTES) {
      throw new UserError("The text on standard input is too long for a key.", EXIT.usage, CREATE_KEY);
    }
  }
  return text;
}
