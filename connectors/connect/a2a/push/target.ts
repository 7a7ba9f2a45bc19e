import { lookup } from "node:dns/promises";
import { isPublicAddress } from "./address.ts";

/** Where notifications may go. */
export interface TargetRules {
  /** Hosts, or hosts with a port, that may have a private address. */
  readonly allow: readonly string[];
  /** All addresses of a host name. */
  resolve?(host: string): Promise<string[]>;
}

export type Target =
  /** `address` was checked: connect to it, and do not look the name up again. */
  | { readonly kind: "ok"; readonly url: URL; readonly address: string }
  | { readonly kind: "refused"; readonly why: string }
  /** The name has no address right now. */
  | { readonly kind: "unknown"; readonly url: URL; readonly why: string };

/**
 * Looks up the address of a URL and checks it. A name with one private address
 * among public ones is refused: whoever controls it could choose between them.
 */
export async function checkTarget(text: string, rules: TargetRules): Promise<Target> {
  const refused = (why: string): Target => ({ kind: "refused", why });
  const url = URL.parse(text);
  if (url === null) return refused("the address is not a URL");
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refused("only http and https are allowed");
  }
  if (url.username !== "" || url.password !== "") return refused("a URL with a user name is not allowed");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  let addresses: string[];
  try {
    addresses = isAddress(host) ? [host] : await (rules.resolve ?? addressesOf)(host);
  } catch {
    addresses = [];
  }
  const [address] = addresses;
  if (address === undefined) return { kind: "unknown", url, why: `${host} has no address` };
  if (rules.allow.includes(url.hostname) || rules.allow.includes(url.host)) {
    return { kind: "ok", url, address };
  }
  if (!addresses.every(isPublicAddress)) return refused(`${url.hostname} is not on the public internet`);
  return { kind: "ok", url, address };
}

/** `URL` has turned 127.1, 0x7f000001 and the like into four numbers already. */
function isAddress(host: string): boolean {
  return host.includes(":") || /^\d{1,3}(\.\d{1,3}){3}$/.test(host);
}

async function addressesOf(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
