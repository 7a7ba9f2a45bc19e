import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { openBuildContext } from "../../scripts/build/build_context.ts";
import { buildOne } from "../../scripts/build/build_one.ts";
import { chooseEntries, listEntries } from "../../scripts/build/entries.ts";
import { sha256 } from "../../scripts/build/sha256.ts";
import { hostTarget } from "../../scripts/build/targets.ts";
import { minisignature } from "../../scripts/release/sign.ts";
import { ROOT, scratchDir } from "../worlds/built.ts";
import { newSigningKey } from "../worlds/install/signing_key.ts";
import { World } from "../worlds/world.ts";

Deno.test("signet-connect of a signed release accepts only releases that the same key signed", async () => {
  await using built = await scratchDir();
  await using world = await World.create();
  const key = await newSigningKey();
  const context = await openBuildContext(ROOT, built.dir, hostTarget(), false);
  const [entry] = chooseEntries(listEntries(ROOT), ["connect"]);
  if (entry === undefined) throw new Error("there is no connect");
  const { path } = await buildOne(entry, { ...context, releaseKey: key.publicKey });

  const dir = `${world.root}/release`;
  await Deno.mkdir(dir);
  const asset = `signet-connect-${hostTarget().label}`;
  const program = new TextEncoder().encode("#!/bin/sh\necho signet-connect 9.9.9\n");
  await Deno.writeFile(`${dir}/${asset}`, program);
  const sums = new TextEncoder().encode(`${await sha256(program)}  ${asset}\n`);
  await Deno.writeFile(`${dir}/SHA256SUMS`, sums);
  const upgrade = () => world.run(path, ["upgrade", "--from", dir, "--json"]);

  const digest = await sha256(await Deno.readFile(path));
  const cases: [string | undefined, RegExp][] = [
    [undefined, /has no valid signature: .*SHA256SUMS\.minisig cannot be read: file not found/],
    [await minisignature(await newSigningKey(), sums, "test"), /it was made with the key/],
    [await minisignature(key, new TextEncoder().encode("other"), "test"), /it does not match/],
  ];
  for (const [signature, message] of cases) {
    if (signature !== undefined) await Deno.writeTextFile(`${dir}/SHA256SUMS.minisig`, signature);
    const { code, err } = await upgrade();
    assertEquals(code, 1);
    assertMatch(err, message);
    assertStringIncludes(err, "Nothing was changed.");
    assertEquals(await sha256(await Deno.readFile(path)), digest);
  }
  await Deno.writeTextFile(`${dir}/SHA256SUMS.minisig`, await minisignature(key, sums, "test"));
  const done = await upgrade();
  assertEquals([done.code, done.err], [0, ""]);
  assertEquals(JSON.parse(done.out).signed, true);
  assertEquals(await Deno.readFile(path), program);
});
