import { MAX_CONTENT } from "../../../../hooks/agents/messages/message.ts";
import { EXIT, UserError } from "../../cli/command.ts";

/** The daemon's limit, less what the envelope needs: the same for every receiver. */
export const MAX_TEXT = MAX_CONTENT - 1_536;
/** Reading stops here: a longer text is too long in any encoding. */
const MAX_BYTES = 4 * MAX_CONTENT;

/** Throws if this is not a text that an agent can read. */
export function checkText(text: string): void {
  if (text.trim() === "") throw new UserError("The message is empty. Nothing was sent.", EXIT.usage);
  if (text.length > MAX_TEXT) {
    throw new UserError(
      `The message has ${text.length} characters; the limit is ${MAX_TEXT}. Nothing was sent.`,
      EXIT.usage,
      "Put the text into a file, and send its path.",
    );
  }
  if (text.includes("\0") || !text.isWellFormed()) throw notText("The message");
}

/** Decodes a message; throws if it is not text. */
export function decodeText(bytes: Uint8Array, name: string): string {
  if (bytes.length > MAX_BYTES) {
    throw new UserError(
      `${name} has more than ${MAX_TEXT} characters, which is the limit. Nothing was sent.`,
      EXIT.usage,
    );
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Not UTF-8.
  }
  throw notText(name);
}

function notText(name: string): UserError {
  return new UserError(`${name} is not text: it is not valid UTF-8. Nothing was sent.`, EXIT.usage);
}

/** The words of a command line, a file, or standard input (`-`, or no words and no terminal). */
export async function messageText(
  words: readonly string[],
  options: { file?: string; stdin?: Stdin } = {},
): Promise<string> {
  const { file, stdin = Deno.stdin } = options;
  if (file !== undefined) {
    if (words.length > 0) {
      throw new UserError("The message is given twice: as text and with --file.", EXIT.usage);
    }
    return decodeText(await readFile(file), file);
  }
  const dash = words.length === 1 && words[0] === "-";
  if (words.length > 0 && !dash) return words.join(" ");
  if (stdin.isTerminal() && !dash) return "";
  return decodeText(await readAll(stdin.readable), "The input");
}

interface Stdin {
  isTerminal(): boolean;
  readonly readable: ReadableStream<Uint8Array>;
}

async function readFile(path: string): Promise<Uint8Array> {
  try {
    const { isFile, size } = await Deno.stat(path);
    // Opening a FIFO waits for a writer, for ever.
    if (!isFile) throw new UserError(`${path} is not a file. Nothing was sent.`, EXIT.usage);
    return size > MAX_BYTES ? new Uint8Array(MAX_BYTES + 1) : await Deno.readFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new UserError(`There is no file ${path}. Nothing was sent.`, EXIT.usage);
  }
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(new Uint8Array(chunk));
    size += chunk.length;
    if (size > MAX_BYTES) break;
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
