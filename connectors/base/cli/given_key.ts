import { EXIT, UserError } from "./command.ts";
import type { Flags } from "./flags.ts";

/** A key is short; more than this on stdin is something else. */
const MAX_KEY_BYTES = 4096;

const ANOTHER = "Make a key with: signet-connect api-key create --mode admin --name NAME";

/** The key that the command line gives, by whichever of the three flags; undefined where it gives none. */
export async function givenKey(flags: Flags): Promise<string | undefined> {
  const file = flags.text("api-key-file");
  const ways = [flags.text("api-key") !== undefined, file !== undefined, flags.on("api-key-stdin")];
  if (ways.filter(Boolean).length > 1) {
    throw new UserError(
      "The key was given more than once.",
      EXIT.usage,
      "one of --api-key, --api-key-file, --api-key-stdin",
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
  if (key === "") throw new UserError(`The key${where} is empty.`, EXIT.usage, ANOTHER);
  // A header cannot carry these, and a pasted line break is a common slip.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UserError(
      `The key${where} has a space or a control character in it.`,
      EXIT.usage,
      "Copy it again: one word, as it was shown when it was made.",
    );
  }
  return key;
}

async function readFile(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    const why = error instanceof Deno.errors.NotFound
      ? "it is not there"
      : error instanceof Error
      ? error.message
      : String(error);
    throw new UserError(`The key file ${path} cannot be read: ${why}.`, EXIT.usage, ANOTHER);
  }
}

async function readStdin(): Promise<string> {
  if (Deno.stdin.isTerminal()) {
    throw new UserError(
      "--api-key-stdin wants the key on standard input.",
      EXIT.usage,
      "… --api-key-stdin < key.txt",
    );
  }
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of Deno.stdin.readable) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_KEY_BYTES) {
      throw new UserError("What came on standard input is too long for a key.", EXIT.usage, ANOTHER);
    }
  }
  return text;
}
