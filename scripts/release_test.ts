import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { TARGETS } from "./build/targets.ts";
import { sumsText } from "./release/artifacts.ts";
import { releaseJson } from "./release/manifest.ts";
import { stampKey } from "./release/stamp_key.ts";
import { releaseKey } from "../connectors/connect/release/release_key.ts";
import { readArgs, stampInstaller } from "./release.ts";

Deno.test("readArgs() of release uses every target unless some are named", () => {
  assertEquals(readArgs([], "/tree").targets, TARGETS);
  const some = readArgs([
    "--target",
    "linux-x64",
    "--target",
    "linux-arm64",
    "pi",
    "--base-url",
    "https://r.example/v1",
  ], "/tree");
  assertEquals(some.targets.map((t) => t.label), ["linux-x64", "linux-arm64"]);
  assertEquals([some.names, some.out, some.baseUrl, some.xzLevel], [
    ["pi"],
    "/tree/dist",
    "https://r.example/v1",
    6,
  ]);
});

Deno.test("readArgs() of release reports what is wrong", () => {
  const cases: [string[], string][] = [
    [["--tarjet", "x"], "unknown flag --tarjet"],
    [["--target", "plan9"], '"plan9"'],
    [["--xz-level", "10"], '"10"'],
    [["--out="], "--out needs a value"],
    [["--sign="], "--sign needs a value"],
    [["--base-url", "https://x.example/$(id)"], "not an http or https URL"],
    [["--base-url", "x.example"], "not an http or https URL"],
  ];
  for (const [args, message] of cases) assertThrows(() => readArgs(args, "/tree"), Error, message);
});

Deno.test("stampInstaller() writes the URL and the key of the release into the installer, once", async () => {
  const script = await Deno.readTextFile(fromFileUrl(new URL("./install.sh", import.meta.url)));
  const settings = { default_base_url: "https://r.example/v1", release_key: "RWQabc+/=" };
  const made = stampInstaller(script, settings);
  assertStringIncludes(made, "\ndefault_base_url=https://r.example/v1\n");
  assertStringIncludes(made, "\nrelease_key=RWQabc+/=\n");
  assertEquals(made.length, script.length + "https://r.example/v1".length + "RWQabc+/=".length);
  assertThrows(() => stampInstaller("#!/bin/sh\n", settings), Error, "no line default_base_url=");
  assertThrows(() => stampInstaller("default_base_url=\n", settings), Error, "no line release_key=");
});

Deno.test("stampKey() writes the key into the bundled program, where releaseKey() finds it", async () => {
  const source = await Deno.readTextFile(
    fromFileUrl(new URL("../connectors/connect/release/release_key.ts", import.meta.url)),
  );
  const files = stampKey(new Map([["main.js", source], ["other.js", "1"]]), "RWQabc+/=");
  assertEquals(files.get("other.js"), "1");
  const mark = /RELEASE_KEY_MARK = "(.*)"/.exec(files.get("main.js") ?? "")?.[1] ?? "";
  assertEquals(releaseKey(mark), "RWQabc+/=");
  assertEquals(releaseKey(), undefined, "the repository has no key");
});

Deno.test("sumsText() is sorted by name, as sha256sum -c reads it", () => {
  const a = { name: "a", bytes: 1, sha256: "f".repeat(64) };
  const b = { name: "b", bytes: 1, sha256: "0".repeat(64) };
  assertEquals(sumsText([b, a]), `${"f".repeat(64)}  a\n${"0".repeat(64)}  b\n`);
});

Deno.test("releaseJson() describes a missing target in one line", () => {
  const manifest = releaseJson("1.2.3", [], {}, [{ target: "darwin-x64", why: "No runtime.\nlong advice" }]);
  assertEquals(manifest, {
    version: "1.2.3",
    deno: "2.7.11",
    runtimes: [],
    binaries: [],
    missing: [{ target: "darwin-x64", why: "No runtime." }],
  });
});
