/** The only part of a key that may be shown. */
export function keyTail(key: string | undefined): string | undefined {
  return key === undefined ? undefined : `…${key.slice(-4)}`;
}
