/** The SHA-256 of some bytes, in hex. */
export async function digest(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return new Uint8Array(hash).toHex();
}
