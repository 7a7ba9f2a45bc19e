/** The header with which a receiver can check who sent a notification. */
export const SIGNATURE_HEADER = "X-Signet-Signature";

/**
 * `t=<seconds>,v1=<hex>`: the HMAC-SHA-256 of `<seconds>.<body>`. The time is part
 * of it, so that a receiver can refuse a copy that is sent again later.
 */
export async function sign(secret: string, body: string, now: number = Date.now()): Promise<string> {
  const seconds = Math.floor(now / 1000);
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const mac = await crypto.subtle.sign("HMAC", key, encoder.encode(`${seconds}.${body}`));
  return `t=${seconds},v1=${new Uint8Array(mac).toHex()}`;
}
