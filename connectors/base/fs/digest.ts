/** The sha-256 of some bytes, in hex. */
export async function digest(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  // A plain loop: `every` took a second for the 97 MB of our own program.
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
