import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { minisignature, readSigningKey } from "../../../scripts/release/sign.ts";
import { newKeyFile, newSigningKey } from "../../../tests/worlds/install/signing_key.ts";
import { parsePublicKey, verifyMinisign } from "./minisign.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const MESSAGE = bytes("0123  signet-pi\n");

/** The text with one byte of a base64 line changed. */
function damaged(text: string, line: number, at: number): string {
  const lines = text.split("\n");
  const data = Uint8Array.fromBase64(lines[line] ?? "");
  data[at] = (data[at] ?? 0) ^ 1;
  return lines.with(line, data.toBase64()).join("\n");
}

Deno.test("verifyMinisign() accepts what minisignature() makes, and returns its trusted comment", async () => {
  const key = await newSigningKey();
  const text = await minisignature(key, MESSAGE, "signet-connectors 1.2.3");
  const publicKey = parsePublicKey(key.publicKey);
  assertEquals(await verifyMinisign(publicKey, text, MESSAGE), "signet-connectors 1.2.3");
  assertEquals(parsePublicKey(`untrusted comment: public key\n${key.publicKey}\n`), publicKey);
});

Deno.test("verifyMinisign() rejects a signature that was changed in any part, and names the reason", async () => {
  const key = await newSigningKey();
  const good = await minisignature(key, MESSAGE, "signet-connectors 1.2.3");
  const foreign = await minisignature(await newSigningKey(), MESSAGE, "signet-connectors 1.2.3");
  // The id of the known key, with a signature of another one.
  const posing = foreign.split("\n").with(
    1,
    new Uint8Array([...key.head, ...Uint8Array.fromBase64(foreign.split("\n")[1] ?? "").slice(10)])
      .toBase64(),
  ).join("\n");
  const cases: [string, Uint8Array<ArrayBuffer>, string][] = [
    [good, bytes("other"), "does not match"],
    [good.replace("1.2.3", "1.2.4"), MESSAGE, "does not match"],
    [damaged(good, 1, 20), MESSAGE, "does not match"],
    [damaged(good, 3, 20), MESSAGE, "does not match"],
    [posing, MESSAGE, "does not match"],
    [foreign, MESSAGE, "it was made with the key "],
    [damaged(good, 1, 1), MESSAGE, "not a plain Ed25519 signature"],
    ["", MESSAGE, "not in minisign's format"],
    ["<html>\nnot found\n", MESSAGE, "not in minisign's format"],
    [good.split("\n").slice(0, 2).join("\n"), MESSAGE, "not in minisign's format"],
  ];
  for (const [text, message, reason] of cases) {
    await assertRejects(() => verifyMinisign(parsePublicKey(key.publicKey), text, message), Error, reason);
  }
});

Deno.test("parsePublicKey() and readSigningKey() reject other texts", async () => {
  for (const text of ["", "RWQ", "x".repeat(56), "!"]) {
    assertThrows(() => parsePublicKey(text), Error, "is not a minisign public key");
  }
  const file = await newKeyFile();
  const scrypt = file.split("\n").with(
    1,
    Uint8Array.fromBase64(file.split("\n")[1] ?? "").map((byte, at) =>
      at === 2 ? 0x53 : at === 3 ? 0x63 : byte
    )
      .toBase64(),
  ).join("\n");
  const cases: [string, string][] = [
    ["", "k is not a minisign secret key: make one with minisign -G -W."],
    ["-----BEGIN PRIVATE KEY-----\nMC4=\n", "k is not a minisign secret key"],
    [scrypt, "k has a password"],
    [damaged(file, 1, 70), "k is damaged"],
  ];
  for (const [text, message] of cases) await assertRejects(() => readSigningKey(text, "k"), Error, message);
});
