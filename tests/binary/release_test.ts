import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { VERSION } from "../../hooks/daemon/version.ts";
import { parsePublicKey, verifyMinisign } from "../../connectors/connect/release/minisign.ts";
import { readSigningKey } from "../../scripts/release/sign.ts";
import { newKeyFile } from "../worlds/install/signing_key.ts";
import { run } from "../../scripts/build/run.ts";
import { hostTarget } from "../../scripts/build/targets.ts";
import { scratchDir, script } from "../worlds/built.ts";
import { HANG_MS } from "../../connectors/base/testing/until.ts";

const HOST = hostTarget().label;

// One release for all tests of this file: half of its time is compression.
const out = await Deno.makeTempDir({ prefix: "signet-binary-" });
addEventListener("unload", () => Deno.removeSync(out, { recursive: true }));
const keyFile = `${out}/key`;
await Deno.writeTextFile(keyFile, await newKeyFile());
const { publicKey } = await readSigningKey(await Deno.readTextFile(keyFile), keyFile);
const made = await script("release", [
  "--sign",
  keyFile,
  "--out",
  out,
  "--xz-level",
  "0",
  "--base-url",
  "http://127.0.0.1:9/r",
  "--target",
  HOST,
  "--target",
  "darwin-arm64",
  "pyagent",
]);

Deno.test("release reports a target whose runtime is unavailable, and goes on with the others", () => {
  assertEquals(made.code, 3, made.stderr);
  assertStringIncludes(made.stderr, "✗ darwin-arm64 is missing: No runtime");
  const manifest = JSON.parse(Deno.readTextFileSync(`${out}/release/release.json`));
  assertEquals(manifest.missing.map((m: { target: string }) => m.target), ["darwin-arm64"]);
});

Deno.test("release lists every file with its checksum", async () => {
  const files = [...Deno.readDirSync(`${out}/release`)].map((e) => e.name).sort();
  const binary = `signet-pyagent-${HOST}`;
  const lists = ["install.sh", "release.json", "sbom.spdx.json"];
  assertEquals(files, [
    "SHA256SUMS",
    "SHA256SUMS.minisig",
    ...lists,
    binary,
    `${binary}.xz`,
    `${binary}.zip`,
  ]);
  const checked = await run("sha256sum", ["--strict", "-c", "SHA256SUMS"], {
    cwd: `${out}/release`,
    timeoutMs: HANG_MS,
  });
  assertEquals(checked.code, 0, checked.stderr);
  assertEquals(checked.stdout.trim().split("\n").length, files.length - 2);
});

Deno.test("release --sign signs the checksums, and install.sh has the public key", async () => {
  const dir = `${out}/release`;
  const signature = await Deno.readTextFile(`${dir}/SHA256SUMS.minisig`);
  const sums = await Deno.readFile(`${dir}/SHA256SUMS`);
  const comment = await verifyMinisign(parsePublicKey(publicKey), signature, sums);
  assertEquals(comment, `signet-connectors ${VERSION}`);
  assertStringIncludes(await Deno.readTextFile(`${dir}/install.sh`), `\nrelease_key=${publicKey}\n`);
});

Deno.test("release packs the binary so that xz and unzip give it back", async () => {
  const dir = `${out}/release`;
  const shell = (line: string) => run("/bin/sh", ["-c", line], { cwd: dir, timeoutMs: HANG_MS });
  const name = `signet-pyagent-${HOST}`;
  const raw = (await shell(`sha256sum <${name}`)).stdout;
  assertEquals((await shell(`xz -dc ${name}.xz | sha256sum`)).stdout, raw);
  assertEquals((await shell(`unzip -p ${name}.zip | sha256sum`)).stdout, raw);
  const unpacked = await shell(
    `d=$(mktemp -d) && unzip -q ${name}.zip -d "$d" && "$d/${name}" --version; rm -r "$d"`,
  );
  assertStringIncludes(unpacked.stdout, VERSION, unpacked.stderr);
});

Deno.test("the released install.sh installs the released binary with sh and curl alone", async () => {
  const served: string[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const name = new URL(request.url).pathname.slice(1);
    served.push(name);
    const file = await Deno.open(`${out}/release/${name}`);
    return new Response(file.readable);
  });
  await using work = await scratchDir();
  const home = work.dir;
  const script = `${out}/release/install.sh`;
  assertMatch(await Deno.readTextFile(script), /^default_base_url=http:\/\/127\.0\.0\.1:9\/r$/m);
  const ended = await run("/bin/sh", [
    script,
    "--require-signature",
    "--base-url",
    `http://127.0.0.1:${server.addr.port}`,
    "pyagent",
  ], {
    cwd: home,
    env: { HOME: home, PATH: "/usr/bin:/bin" },
    clearEnv: true,
    timeoutMs: HANG_MS,
  });
  assertEquals(ended.code, 0, ended.stderr);
  assertEquals(served, ["SHA256SUMS", "SHA256SUMS.minisig", `signet-pyagent-${HOST}.xz`]);
  const version = await run(`${home}/.local/bin/signet-pyagent`, ["--version"], { timeoutMs: HANG_MS });
  assertStringIncludes(version.stdout, VERSION);
});

Deno.test("the npm packages, packed and installed, run the binary", async () => {
  await using work = await scratchDir();
  const [project, cache] = [`${work.dir}/project`, `${work.dir}/cache`];
  await Deno.mkdir(project);
  const npm = (args: string[], cwd: string) =>
    run("npm", [...args, "--cache", cache, "--offline", "--no-audit", "--no-fund", "--loglevel", "error"], {
      cwd,
      timeoutMs: HANG_MS,
    });
  const tarballs: string[] = [];
  for (const dir of ["connector-pyagent", `connector-pyagent-${HOST}`]) {
    const packed = await npm(["pack", "--pack-destination", project], `${out}/npm/${dir}`);
    assertEquals(packed.code, 0, packed.stderr);
    tarballs.push(`./${packed.stdout.trim().split("\n").at(-1)}`);
  }
  await Deno.writeTextFile(`${project}/package.json`, `{"private":true}`);
  const installed = await npm(["install", ...tarballs], project);
  assertEquals(installed.code, 0, installed.stderr);

  const launched = await npm(["exec", "--", "signet-pyagent", "--version"], project);
  assertStringIncludes(launched.stdout, VERSION, launched.stderr);
  const bin = `${project}/node_modules/.bin/signet-pyagent`;
  const wrong = await run(bin, ["no-such-command"], { cwd: project, timeoutMs: HANG_MS });
  assert(wrong.code !== 0, "the exit code comes through");

  await Deno.remove(`${project}/node_modules/@signetai/connector-pyagent-${HOST}`, { recursive: true });
  const without = await run(bin, ["--version"], { cwd: project, timeoutMs: HANG_MS });
  assertEquals(without.code, 1);
  assertStringIncludes(without.stderr, `@signetai/connector-pyagent-${HOST} is not installed`);
});
