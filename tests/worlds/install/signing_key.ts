import { readSigningKey, type SigningKey } from "../../../scripts/release/sign.ts";

/** A fresh secret key in minisign's format, without a password. minisign's own checksum is not filled in. */
export async function newKeyFile(): Promise<string> {
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  if (!("privateKey" in pair)) throw new Error("generateKey() made no pair");
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey));
  const bytes = new Uint8Array(158);
  bytes.set(new TextEncoder().encode("Ed"));
  bytes.set(new TextEncoder().encode("B2"), 4);
  bytes.set(crypto.getRandomValues(new Uint8Array(8)), 54);
  bytes.set(pkcs8.slice(16, 48), 62);
  bytes.set(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)), 94);
  return `untrusted comment: a key of a test\n${bytes.toBase64()}\n`;
}

/** A fresh key that signs. */
export async function newSigningKey(): Promise<SigningKey> {
  return await readSigningKey(await newKeyFile(), "key");
}
