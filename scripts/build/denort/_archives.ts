// In-memory archives for tests.

type Bytes = Uint8Array<ArrayBuffer>;

/** A tar archive with these files. */
export function makeTar(files: readonly (readonly [string, Bytes])[]): Bytes {
  const blocks = files.map(([name, data]) => {
    const block = new Uint8Array(512 + Math.ceil(data.byteLength / 512) * 512);
    block.set(new TextEncoder().encode(name));
    block.set(new TextEncoder().encode(data.byteLength.toString(8).padStart(11, "0")), 124);
    block.set(data, 512);
    return block;
  });
  return concat([...blocks, new Uint8Array(1024)]);
}

/** A gzipped tar archive, as npm packs it. */
export async function makeTgz(files: readonly (readonly [string, Bytes])[]): Promise<Bytes> {
  const stream = new Blob([makeTar(files)]).stream().pipeThrough(new CompressionStream("gzip"));
  return await new Response(stream).bytes();
}

/** A runtime with an appended program, in the format of deno compile. */
export function withPayload(runtime: Bytes, program: Bytes): Bytes {
  const trailer = new DataView(new ArrayBuffer(16));
  trailer.setUint32(0, 0x501e, true);
  trailer.setUint32(4, 0x2a7, true);
  trailer.setBigUint64(8, BigInt(program.byteLength + 16), true);
  return concat([runtime, program, new Uint8Array(trailer.buffer)]);
}

function concat(parts: readonly Bytes[]): Bytes {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.byteLength;
  }
  return out;
}
