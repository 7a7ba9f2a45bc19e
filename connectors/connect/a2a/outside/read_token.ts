import { EXIT, UserError } from "../../../base/cli/command.ts";

/** The token in a file; a token on a command line would be seen by every user of the machine. */
export async function readToken(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    throw new UserError(
      `${path} cannot be read: ${error instanceof Error ? error.message : error}.`,
      EXIT.usage,
    );
  }
  if (/^[\x21-\x7e]{1,4096}$/.test(text.trim())) return text.trim();
  throw new UserError(`${path} does not contain a token.`, EXIT.usage);
}
