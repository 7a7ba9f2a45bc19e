/** Reads the target label, such as `linux-arm64`, from the first bytes of a program. */
function machineOf(head: Uint8Array<ArrayBuffer>): string | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.byteLength < 64) return undefined;
  if (view.getUint32(0) === 0x7f454c46) return label("linux", ELF[view.getUint16(18, true)]);
  if (view.getUint32(0, true) === 0xfeedfacf) return label("darwin", MACH[view.getUint32(4, true)]);
  if (view.getUint16(0) === 0x4d5a) {
    const pe = view.getUint32(60, true);
    if (pe + 6 <= head.byteLength) return label("windows", PE[view.getUint16(pe + 4, true)]);
  }
  return undefined;
}

const ELF: Record<number, string> = { 0x3e: "x64", 0xb7: "arm64" };
const MACH: Record<number, string> = { 0x01000007: "x64", 0x0100000c: "arm64" };
const PE: Record<number, string> = { 0x8664: "x64", 0xaa64: "arm64" };

function label(os: string, arch: string | undefined): string | undefined {
  return arch && `${os}-${arch}`;
}

/** Reads the target label of a program file. */
export async function machineOfFile(path: string): Promise<string | undefined> {
  using file = await Deno.open(path);
  const head = new Uint8Array(4096);
  const n = await file.read(head);
  return machineOf(head.subarray(0, n ?? 0));
}
