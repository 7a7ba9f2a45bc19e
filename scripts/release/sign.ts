const PKCS8_PREFIX = Uint8Array.fromHex("302e020100300506032b657004220420");
/** The parts of a minisign secret key: algorithms, scrypt parameters, then key id, secret and public key, checksum. */
const KEY_BYTES = 158;
const ID_AT = 54;
const SEED_AT = ID_AT + 8;
const PUBLIC_AT = SEED_AT + 32;

/** A key that signs releases. */
export interface SigningKey {
  /** The public key, as minisign prints it. */
  readonly publicKey: string;
  /** The algorithm and the key id, which begin a signature. */
  readonly head: Uint8Array<ArrayBuffer>;
  readonly secret: CryptoKey;
}

/** Reads a minisign secret key without a password (`minisign -G -W`). */
export async function readSigningKey(text: string, path: string): Promise<SigningKey> {
  const line = text.split(/\r?\n/)[1] ?? "";
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = Uint8Array.fromBase64(line);
  } catch {
    bytes = new Uint8Array();
  }
  const ascii = (from: number) => new TextDecoder().decode(bytes.subarray(from, from + 2));
  if (bytes.length !== KEY_BYTES || ascii(0) !== "Ed") {
    throw new Error(`${path} is not a minisign secret key: make one with minisign -G -W.`);
  }
  if (ascii(2) !== "\0\0") {
    throw new Error(`${path} has a password: write a copy without one with minisign -C -W -s COPY.`);
  }
  const head = new Uint8Array([...bytes.subarray(0, 2), ...bytes.subarray(ID_AT, SEED_AT)]);
  const publicBytes = bytes.slice(PUBLIC_AT, PUBLIC_AT + 32);
  const pkcs8 = new Uint8Array([...PKCS8_PREFIX, ...bytes.subarray(SEED_AT, PUBLIC_AT)]);
  const secret = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", false, ["sign"]);
  const verifier = await crypto.subtle.importKey("raw", publicBytes, "Ed25519", false, ["verify"]);
  const probe = new Uint8Array([1]);
  if (
    !await crypto.subtle.verify(
      "Ed25519",
      verifier,
      await crypto.subtle.sign("Ed25519", secret, probe),
      probe,
    )
  ) throw new Error(`${path} is damaged: its secret and its public key do not belong together.`);
  return { publicKey: new Uint8Array([...head, ...publicBytes]).toBase64(), head, secret };
}

/** The minisign signature of a message. The trusted comment is signed too. */
export async function minisignature(
  key: SigningKey,
  message: Uint8Array<ArrayBuffer>,
  trustedComment: string,
): Promise<string> {
  const sign = async (bytes: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(await crypto.subtle.sign("Ed25519", key.secret, bytes));
  const signature = await sign(message);
  const commented = new Uint8Array([...signature, ...new TextEncoder().encode(trustedComment)]);
  return [
    "untrusted comment: verify with minisign",
    new Uint8Array([...key.head, ...signature]).toBase64(),
    `trusted comment: ${trustedComment}`,
    (await sign(commented)).toBase64(),
    "",
  ].join("\n");
}
