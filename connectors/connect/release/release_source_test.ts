import { assertEquals, assertRejects } from "@std/assert";
import { minisignature, type SigningKey } from "../../../scripts/release/sign.ts";
import { newSigningKey } from "../../../tests/worlds/install/signing_key.ts";
import { zipOne } from "./zip.ts";
import { UserError } from "../../base/cli/command.ts";
import { digest } from "../../base/fs/digest.ts";
import { openRelease, parseSums, platformLabel, releasedBinary } from "./release_source.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const ASSET = "signet-pi-linux-x64";

async function withRelease(
  files: Record<string, Uint8Array>,
  body: (dir: string) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "signet-" });
  try {
    for (const [name, data] of Object.entries(files)) await Deno.writeFile(`${dir}/${name}`, data);
    await body(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function sums(files: Record<string, Uint8Array>): Promise<Uint8Array> {
  const lines = await Promise.all(
    Object.entries(files).map(async ([name, data]) => `${await digest(data)}  ${name}\n`),
  );
  return bytes(lines.join(""));
}

Deno.test("parseSums() reads the output of sha256sum in both modes", () => {
  const [a, b] = ["a".repeat(64), "b".repeat(64)];
  const text = `${a}  one\n${b} *two.zip\nnot a line\n${a.slice(1)}  short\n`;
  assertEquals([...parseSums(text)], [["one", a], ["two.zip", b]]);
});

Deno.test("platformLabel() names platforms as a release does", () => {
  assertEquals(platformLabel({ os: "linux", arch: "x86_64" }), "linux-x64");
  assertEquals(platformLabel({ os: "darwin", arch: "aarch64" }), "darwin-arm64");
});

Deno.test("releasedBinary() prefers the zip and returns the listed binary", async () => {
  const program = bytes("#!/bin/sh\n");
  const zip = await zipOne(ASSET, program);
  const files = {
    [`${ASSET}.zip`]: zip,
    SHA256SUMS: await sums({ [ASSET]: program, [`${ASSET}.zip`]: zip }),
  };
  await withRelease(files, async (dir) => {
    const release = await openRelease(dir, { insecureHttp: false });
    assertEquals(await releasedBinary(release, ASSET), program);
    assertEquals(await releasedBinary(release, "signet-pi-plan9-x64"), undefined);
  });
  await withRelease({ [ASSET]: program, SHA256SUMS: await sums({ [ASSET]: program }) }, async (dir) => {
    const release = await openRelease(dir, { insecureHttp: false });
    assertEquals(await releasedBinary(release, ASSET), program);
  });
});

Deno.test("releasedBinary() rejects a binary that does not match SHA256SUMS", async () => {
  const good = bytes("good");
  const evil = await zipOne(ASSET, bytes("evil"));
  const cases: Record<string, Uint8Array>[] = [
    { [ASSET]: bytes("evil"), SHA256SUMS: await sums({ [ASSET]: good }) },
    // The archive matches, but its content does not.
    { [`${ASSET}.zip`]: evil, SHA256SUMS: await sums({ [ASSET]: good, [`${ASSET}.zip`]: evil }) },
  ];
  for (const files of cases) {
    await withRelease(files, async (dir) => {
      const release = await openRelease(dir, { insecureHttp: false });
      await assertRejects(() => releasedBinary(release, ASSET), UserError, "has the wrong checksum");
    });
  }
});

Deno.test("openRelease() refuses missing checksums, a missing directory and an insecure URL", async () => {
  await withRelease({ SHA256SUMS: bytes("<html>\n") }, async (dir) => {
    await assertRejects(() => openRelease(dir, { insecureHttp: false }), UserError, "has no SHA256SUMS");
  });
  const cases: [string, string][] = [
    ["/nowhere/release", "/nowhere/release/SHA256SUMS cannot be read: file not found."],
    ["http://release.example", "is plain HTTP to another machine"],
    ["http://127.0.0.1.example", "is plain HTTP to another machine"],
    ["https://me:secret@release.example", "is neither an http(s) URL nor a directory"],
    ["ftp://release.example", "is neither an http(s) URL nor a directory"],
  ];
  for (const [from, message] of cases) {
    await assertRejects(() => openRelease(from, { insecureHttp: false }), UserError, message);
  }
});

Deno.test("openRelease() reads from a loopback server, below the given path", async () => {
  const program = bytes("program");
  const list = await sums({ [ASSET]: program });
  const files: Record<string, Uint8Array> = { "/v1/SHA256SUMS": list, [`/v1/${ASSET}`]: program };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const file = files[new URL(request.url).pathname];
    return file ? new Response(new Uint8Array(file)) : new Response("none", { status: 404 });
  });
  try {
    const base = `http://127.0.0.1:${server.addr.port}`;
    const release = await openRelease(`${base}/v1`, { insecureHttp: false });
    let progress = 0;
    assertEquals(await releasedBinary(release, ASSET, (bytes) => progress = bytes), program);
    assertEquals(progress, program.length);
    await assertRejects(
      () => openRelease(`${base}/v2`, { insecureHttp: false }),
      UserError,
      "/v2/SHA256SUMS returned status 404.",
    );
  } finally {
    await server.shutdown();
  }
});

Deno.test("openRelease() with a key accepts only a release that the key signed", async () => {
  const key = await newSigningKey();
  const list = new Uint8Array(await sums({ [ASSET]: bytes("program") }));
  const sign = async (by: SigningKey, text: Uint8Array<ArrayBuffer>) =>
    bytes(await minisignature(by, text, "signet-connectors 1.2.3"));
  const good = { SHA256SUMS: list, "SHA256SUMS.minisig": await sign(key, list) };
  const options = { insecureHttp: false, key: key.publicKey };
  await withRelease(good, async (dir) => {
    assertEquals((await openRelease(dir, options)).signed, true);
    assertEquals((await openRelease(dir, { insecureHttp: false })).signed, false);
  });
  const cases: [Record<string, Uint8Array>, string][] = [
    [{ SHA256SUMS: list }, "has no valid signature"],
    [{ ...good, SHA256SUMS: await sums({ [ASSET]: bytes("evil") }) }, "it does not match"],
    [{ ...good, "SHA256SUMS.minisig": await sign(await newSigningKey(), list) }, "it was made with the key"],
    [{ ...good, "SHA256SUMS.minisig": bytes("") }, "not in minisign's format"],
  ];
  for (const [files, message] of cases) {
    await withRelease(files, async (dir) => {
      await assertRejects(() => openRelease(dir, options), UserError, message);
    });
  }
});
