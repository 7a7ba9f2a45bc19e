import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";

/** A secret for one run of the server. */
export function newToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
}

/** Compares in a time that does not depend on where the texts differ. */
export function isToken(given: string | null | undefined, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return given !== null && given !== undefined && timingSafeEqual(digest(given), digest(token));
}
