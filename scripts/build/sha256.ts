/** The SHA-256 of some bytes, in hex. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** The SHA-256 of a file, in hex. */
export async function sha256File(path: string): Promise<string> {
  return await sha256(await Deno.readFile(path));
}
