const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const DEFLATE = 8;
// 1980-01-01, the earliest date a zip can hold: the same bytes on every day.
const DOS_DATE = 0x0021;

/** The bytes of one file in a zip archive. */
export async function fileFromZip(
  zip: Uint8Array<ArrayBuffer>,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  let end = zip.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Error("The file is not a complete zip archive.");
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const nameLength = view.getUint16(at + 28, true);
    const entry = new TextDecoder().decode(zip.subarray(at + 46, at + 46 + nameLength));
    if (entry === name) return await inflateEntry(zip, view, at);
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  throw new Error(`The archive has no file ${name}.`);
}

async function inflateEntry(zip: Uint8Array<ArrayBuffer>, view: DataView, at: number) {
  const method = view.getUint16(at + 10, true);
  const packed = view.getUint32(at + 20, true);
  const local = view.getUint32(at + 42, true);
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const data = zip.subarray(start, start + packed);
  return method === DEFLATE ? await pipe(data, new DecompressionStream("deflate-raw")) : data;
}

/** A zip archive with one executable file in it; the same bytes for the same input. */
export async function zipOne(name: string, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await pipe(data, new CompressionStream("deflate-raw"));
  const nameBytes = new TextEncoder().encode(name);
  const crc = crc32(data);
  const common = (out: DataView, at: number) => {
    out.setUint16(at, 20, true);
    out.setUint16(at + 4, DEFLATE, true);
    out.setUint16(at + 8, DOS_DATE, true);
    out.setUint32(at + 10, crc, true);
    out.setUint32(at + 14, packed.byteLength, true);
    out.setUint32(at + 18, data.byteLength, true);
    out.setUint16(at + 22, nameBytes.byteLength, true);
  };
  const local = new DataView(new ArrayBuffer(30));
  local.setUint32(0, LOCAL, true);
  common(local, 4);
  const central = new DataView(new ArrayBuffer(46));
  central.setUint32(0, CENTRAL, true);
  // Made on Unix, so that unzip reads the file mode below.
  central.setUint16(4, (3 << 8) | 20, true);
  common(central, 6);
  central.setUint32(38, 0o100755 << 16, true);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, END, true);
  end.setUint16(8, 1, true);
  end.setUint16(10, 1, true);
  end.setUint32(12, 46 + nameBytes.byteLength, true);
  end.setUint32(16, 30 + nameBytes.byteLength + packed.byteLength, true);
  return await new Blob([local, nameBytes, packed, central, nameBytes, end]).bytes();
}

async function pipe(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return await new Response(new Blob([bytes]).stream().pipeThrough(through)).bytes();
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
