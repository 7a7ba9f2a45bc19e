import { EXIT, UserError } from "./command.ts";
import type { Flags } from "./flags.ts";

/** A key is short; longer input is not a key. */
const MAX_KEY_BYTES = 4096;

const CREATE_KEY = "Create a key with: signet-connect api-key create --mode admin --name NAME";

/** The key given by one of the three flags, or undefined. */
export async function givenKey(flags: Flags): Promise<string | undefined> {
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

async function readStdin(): Promise<string> {
  if (Deno.stdin.isTerminal()) {
    throw new UserError(
      "--api-key-stdin reads the key from standard input.",
      EXIT.usage,
      "… --api-key-stdin < key.txt",
    );
  }
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
