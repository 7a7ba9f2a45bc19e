/** Decodes a config, including its byte order mark; undefined if it is not UTF-8. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
