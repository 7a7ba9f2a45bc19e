const BLOCK = 512;

/** The bytes of one file in a tar archive, as npm packs them (ustar, short names). */
export function fileFromTar(tar: Uint8Array<ArrayBuffer>, name: string): Uint8Array<ArrayBuffer> {
  for (let at = 0; at + BLOCK <= tar.byteLength;) {
    const header = tar.subarray(at, at + BLOCK);
    const entry = text(header.subarray(0, 100));
    if (entry === "") break;
    const size = parseInt(text(header.subarray(124, 136)), 8);
    if (!Number.isSafeInteger(size)) {
      throw new Error(`The archive is damaged at byte ${at}: no size for ${entry}.`);
    }
    const start = at + BLOCK;
    if (entry === name) {
      if (start + size > tar.byteLength) throw new Error(`The archive ends in the middle of ${name}.`);
      return tar.subarray(start, start + size);
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error(`The archive has no file ${name}.`);
}

/** Decompresses gzip. */
export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).bytes();
}

function text(field: Uint8Array): string {
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end)).trim();
}
