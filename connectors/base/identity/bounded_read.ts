/** The result of reading a source file; `absent` is normal, `problem` is a message for the user. */
export type Reading =
  | { readonly kind: "absent" }
  | { readonly kind: "text"; readonly text: string; readonly complete: boolean }
  | { readonly kind: "problem"; readonly problem: string };

/**
 * The largest budget is 12,000 characters (48 kB of UTF-8). The rest is room for
 * what is removed before truncation: old Signet blocks and white space.
 */
const MAX_BYTES = 256 * 1024;

/**
 * The start of a text file: at most `maxBytes`.
 * Bytes that are not UTF-8 become U+FFFD. Only a regular file is opened, because
 * opening a FIFO waits for a writer that may never come.
 */
export function readBounded(path: string, maxBytes = MAX_BYTES): Reading {
  try {
    const info = Deno.statSync(path);
    if (!info.isFile) {
      return {
        kind: "problem",
        problem: `${path} is not a regular file and was skipped; replace it with a text file.`,
      };
    }
    using file = Deno.openSync(path, { read: true });
    // Some file systems report size 0 for a file with content.
    const bytes = new Uint8Array(Math.min(maxBytes, Math.max(info.size, 4096) + 1));
    let length = 0;
    while (length < bytes.length) {
      const read = file.readSync(bytes.subarray(length));
      if (read === null) break;
      length += read;
    }
    const complete = length < bytes.length;
    // `stream` drops an incomplete character at the end.
    const text = new TextDecoder().decode(bytes.subarray(0, length), { stream: !complete });
    return { kind: "text", text, complete };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return { kind: "absent" };
    }
    const cause = error instanceof Error ? error.message : String(error);
    return {
      kind: "problem",
      problem: `${path} cannot be read (${cause}) and was skipped; check its permissions.`,
    };
  }
}
