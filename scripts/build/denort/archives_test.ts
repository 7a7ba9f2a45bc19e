import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { fileFromTar, gunzip } from "./tar.ts";
import { fileFromZip, zipOne } from "../../../connectors/connect/release/zip.ts";
import { stripPayload } from "../payload.ts";
import { makeTar, makeTgz, withPayload } from "./_archives.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("fileFromTar() returns the named file", async () => {
  const tgz = await makeTgz([["package/a", bytes("one")], ["package/bin/b", bytes("x".repeat(700))]]);
  assertEquals(fileFromTar(await gunzip(tgz), "package/bin/b"), bytes("x".repeat(700)));
});

Deno.test("fileFromTar() reports a damaged archive", () => {
  const tar = makeTar([["package/a", bytes("one")]]);
  assertThrows(() => fileFromTar(tar, "package/b"), Error, "no file package/b");
  assertThrows(() => fileFromTar(tar.slice(0, 514), "package/a"), Error, "in the middle of package/a");
});

Deno.test("zipOne() is reproducible and can be read by fileFromZip()", async () => {
  const data = bytes("runtime ".repeat(1000));
  const zip = await zipOne("denort", data);
  assertEquals(await fileFromZip(zip, "denort"), data);
  assertEquals(await zipOne("denort", data), zip);
});

Deno.test("fileFromZip() rejects a truncated archive and a missing file", async () => {
  const zip = await zipOne("denort", bytes("runtime"));
  await assertRejects(() => fileFromZip(zip.slice(0, 40), "denort"), Error, "not a complete zip");
  await assertRejects(() => fileFromZip(zip, "deno"), Error, "no file deno");
});

Deno.test("stripPayload() returns the runtime without the appended data", () => {
  assertEquals(stripPayload(withPayload(bytes("denort"), bytes("our program"))), bytes("denort"));
});

Deno.test("stripPayload() rejects a program with another trailer", () => {
  const program = withPayload(bytes("denort"), bytes("our program"));
  const longer = program.slice();
  new DataView(longer.buffer).setBigUint64(longer.byteLength - 8, 10_000n, true);
  for (const bad of [bytes("short"), bytes("a program of some other kind"), longer]) {
    assertThrows(() => stripPayload(bad), Error, "deno compile");
  }
});
