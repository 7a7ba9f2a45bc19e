/** The algorithm of plain Ed25519 signatures, and of keys. `ED` would be a signature of a BLAKE2b hash. */
const ALGORITHM = "Ed";
const ID_BYTES = 8;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** A minisign public key. */
export interface PublicKey {
  /** As minisign prints it. */
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Reads a public key as minisign writes it: the base64 line, or its file. */
export function parsePublicKey(text: string): PublicKey {
  const line = text.trim().split(/\r?\n/).at(-1) ?? "";
  const key = decoded(line, 2 + ID_BYTES + KEY_BYTES);
  if (key === undefined || algorithmOf(key) !== ALGORITHM) {
    throw new Error(`"${line}" is not a minisign public key`);
  }
  return { id: keyId(key), bytes: key.slice(2 + ID_BYTES) };
}

/** Checks a minisign signature of a message; throws with the reason if it is not valid. Returns its trusted comment. */
export async function verifyMinisign(
  key: PublicKey,
  signatureText: string,
  message: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const [, line = "", commentLine = "", globalLine = ""] = signatureText.split(/\r?\n/);
  const signature = decoded(line, 2 + ID_BYTES + SIGNATURE_BYTES);
  const globalSignature = decoded(globalLine, SIGNATURE_BYTES);
  const comment = /^trusted comment: (.*)$/.exec(commentLine)?.[1];
  if (signature === undefined || globalSignature === undefined || comment === undefined) {
    throw new Error("it is not in minisign's format");
  }
  if (algorithmOf(signature) !== ALGORITHM) throw new Error("it is not a plain Ed25519 signature");
  if (keyId(signature) !== key.id) {
    throw new Error(`it was made with the key ${keyId(signature)}, not with ${key.id}`);
  }
  const raw = signature.slice(2 + ID_BYTES);
  const commented = new Uint8Array([...raw, ...new TextEncoder().encode(comment)]);
  const publicKey = await crypto.subtle.importKey("raw", key.bytes, "Ed25519", false, ["verify"]);
  if (
    !await crypto.subtle.verify("Ed25519", publicKey, raw, message) ||
    !await crypto.subtle.verify("Ed25519", publicKey, globalSignature, commented)
  ) throw new Error("it does not match");
  return comment;
}

function decoded(line: string, length: number): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = Uint8Array.fromBase64(line);
    return bytes.length === length ? bytes : undefined;
  } catch {
    return undefined; // not base64
  }
}

function algorithmOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 2));
}

/** The key id is a little-endian number; minisign prints it in hexadecimal. */
function keyId(bytes: Uint8Array): string {
  return bytes.slice(2, 2 + ID_BYTES).toReversed().toHex().toUpperCase();
}
