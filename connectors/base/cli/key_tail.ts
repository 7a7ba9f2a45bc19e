/** All that may be shown of a key. */
export function keyTail(key: string | undefined): string | undefined {
  return key === undefined ? undefined : `…${key.slice(-4)}`;
}
