export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  // A plain loop: `every` took a second for the 97 MB of our own program.
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
