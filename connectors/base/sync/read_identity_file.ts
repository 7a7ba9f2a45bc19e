import { digest } from "../fs/digest.ts";
import { decode } from "../fs/text_bytes.ts";
import type { IdentityFile } from "./decide_identity.ts";

/** More than any harness reads as instructions. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads an identity file without opening anything that could block. */
export async function readIdentityFile(path: string): Promise<IdentityFile> {
  try {
    const info = await Deno.stat(path);
    if (!info.isFile) return { kind: "untouchable", reason: "it is not a regular file; move it away" };
    if (info.size > MAX_BYTES) {
      return { kind: "untouchable", reason: "it is larger than 16 MB; make it smaller" };
    }
    const bytes = await Deno.readFile(path);
    return { kind: "file", text: decode(bytes), digest: await digest(bytes) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { kind: "absent" };
    const cause = error instanceof Error ? error.message : String(error);
    return { kind: "untouchable", reason: `it cannot be read (${cause}); check its permissions` };
  }
}
