/** The IPv4 blocks that are not the public internet, as first address and length of the prefix. */
const NOT_PUBLIC: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** Whether an IP address is on the public internet. What is not an address is not. */
export function isPublicAddress(address: string): boolean {
  return address.includes(":") ? isPublicV6(address) : isPublicV4(address);
}

function isPublicV4(address: string): boolean {
  const number = v4Number(address);
  if (number === undefined) return false;
  return !NOT_PUBLIC.some(([first, length]) => {
    const shift = 2 ** (32 - length);
    return Math.floor(number / shift) === Math.floor((v4Number(first) ?? 0) / shift);
  });
}

function v4Number(address: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((number, part) => number * 256 + part, 0);
}

/**
 * Only 2000::/3 is public, without the documentation block and without Teredo and
 * 6to4, which contain an IPv4 address. IPv4 addresses in IPv6 form are outside of it.
 */
function isPublicV6(address: string): boolean {
  const [first = 0, second = 0] = groups(address) ?? [];
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return false;
  return !(first === 0x2001 && (second === 0 || second === 0xdb8));
}

function groups(address: string): number[] | undefined {
  try {
    // The URL parser knows every way to write an address; a scope such as %eth0 is local.
    const { hostname } = new URL(`http://[${address}]/`);
    const [head = "", tail = ""] = hostname.slice(1, -1).split("::");
    const before = head.split(":").filter((group) => group !== "");
    const after = tail.split(":").filter((group) => group !== "");
    const zeros = hostname.includes("::") ? Array(8 - before.length - after.length).fill("0") : [];
    return [...before, ...zeros, ...after].map((group) => parseInt(group, 16));
  } catch {
    return undefined;
  }
}
