/** Writes to stdout; false if the harness closed the pipe. */
export async function writeOut(text: string): Promise<boolean> {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let written = 0; written < bytes.length;) {
      written += await Deno.stdout.write(bytes.subarray(written));
    }
    return true;
  } catch {
    return false;
  }
}
