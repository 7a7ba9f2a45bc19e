import { digest } from "../../connectors/base/fs/digest.ts";

export { digest as sha256 };

/** The SHA-256 of a file, in hex. */
export async function sha256File(path: string): Promise<string> {
  return await digest(await Deno.readFile(path));
}
