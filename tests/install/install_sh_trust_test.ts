import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { isOnPath } from "../../connectors/base/testing/on_path.ts";
import { HANG_MS } from "../../connectors/base/testing/until.ts";
import { type Ended, run } from "../../scripts/build/run.ts";
import { stampInstaller } from "../../scripts/release.ts";
import { minisignature, readSigningKey, type SigningKey } from "../../scripts/release/sign.ts";
import { makeCertificates } from "../worlds/certificates.ts";
import { contents, path, SCRIPT, SHELLS } from "../worlds/install/install_machine.ts";
import { type Served, serveRelease } from "../worlds/install/served_release.ts";
import { newSigningKey } from "../worlds/install/signing_key.ts";

const X64 = { uname: `[ "$1" = -m ] && echo x86_64 || echo Linux` };
const HAS_MINISIGN = isOnPath("minisign");
/** The programs that can verify a signature, as far as this machine has them. */
const VERIFIERS = ["openssl", ...HAS_MINISIGN ? ["minisign"] : []];

/** install.sh as a release with this key has it. */
async function signedScript(key: SigningKey): Promise<string> {
  const settings = { default_base_url: "", release_key: key.publicKey };
  return stampInstaller(await Deno.readTextFile(SCRIPT), settings);
}

async function sign(release: Served, key: SigningKey): Promise<void> {
  const sums = release.files.get("SHA256SUMS") ?? new Uint8Array();
  const text = await minisignature(key, sums, "signet-connectors 9.9.9");
  release.files.set("SHA256SUMS.minisig", new TextEncoder().encode(text));
}

for (const [shell, [program = "", ...first]] of Object.entries(SHELLS)) {
  const install = async (
    release: Served,
    options: {
      script?: string;
      args?: string[];
      path?: string;
      env?: Record<string, string>;
      before?: string;
    } = {},
  ): Promise<Ended & { home: string }> => {
    const home = await Deno.makeTempDir();
    const { script = await Deno.readTextFile(SCRIPT), args = [], before = ":" } = options;
    const ended = await run(program, [...first, "-s", "--", "--base-url", release.url, ...args, "pi"], {
      cwd: home,
      env: { HOME: home, PATH: options.path ?? await path({ fakes: X64 }), ...options.env },
      clearEnv: true,
      input: `${before}\n${script}`,
      timeoutMs: HANG_MS,
    });
    return { ...ended, home };
  };
  const test = (title: string, fn: () => Promise<void>) =>
    Deno.test(`install.sh under ${shell} ${title}`, fn);
  const installed = ({ home }: { home: string }) => contents(home).includes(".local/bin/signet-pi");

  for (const verifier of VERIFIERS) {
    test(`with ${verifier} installs a signed release, and refuses a bad or missing signature`, async () => {
      const key = await newSigningKey();
      const script = await signedScript(key);
      const bin = await path({ plus: [verifier], fakes: X64 });
      await using release = await serveRelease();
      await sign(release, key);
      for (const args of [[], ["--require-signature"]]) {
        const good = await install(release, { script, args, path: bin });
        assert(good.code === 0 && installed(good), good.stderr);
        assertStringIncludes(good.stderr, `✓ Verified the signature of the release with ${verifier}`);
      }
      const signature = release.files.get("SHA256SUMS.minisig") ?? new Uint8Array();
      const text = new TextDecoder().decode(signature);
      const lines = text.split("\n");
      const flip = (line: number, at: number) => {
        const data = Uint8Array.fromBase64(lines[line] ?? "");
        data[at] = (data[at] ?? 0) ^ 1;
        return lines.with(line, data.toBase64()).join("\n");
      };
      const cases: [string, string | undefined, RegExp][] = [
        ["missing", undefined, /cannot download .*SHA256SUMS\.minisig/],
        ["of another key", await foreign(release), /signature of .* is not valid/],
        ["damaged", flip(1, 30), /is not valid/],
        ["with another key id", flip(1, 4), /is not valid/],
        ["with another algorithm", flip(1, 1), /is not valid/],
        ["with another comment", text.replace("9.9.9", "9.9.8"), /is not valid/],
        ["with a damaged comment signature", flip(3, 30), /is not valid/],
        ["truncated", text.slice(0, 60), /is not valid/],
        ["empty", "", /is not valid/],
        ["a web page", "<html>\n<body>\n", /is not valid/],
      ];
      for (const [title, spoiled, message] of cases) {
        if (spoiled === undefined) release.files.delete("SHA256SUMS.minisig");
        else release.files.set("SHA256SUMS.minisig", new TextEncoder().encode(spoiled));
        const ended = await install(release, { script, path: bin });
        assertEquals([ended.code, contents(ended.home)], [1, []], `${title}: ${ended.stderr}`);
        assert(message.test(ended.stderr), `${title}: ${ended.stderr}`);
      }
      release.files.set("SHA256SUMS.minisig", signature);
      const sums = new TextDecoder().decode(release.files.get("SHA256SUMS"));
      release.files.set("SHA256SUMS", new TextEncoder().encode(sums.replaceAll("signet-pi", "signet-py")));
      const tampered = await install(release, { script, path: bin });
      assertEquals([tampered.code, contents(tampered.home)], [1, []], tampered.stderr);
      assertStringIncludes(tampered.stderr, "is not valid");
    });
  }

  test("without a verifier says that it checked the checksum only, and --require-signature refuses", async () => {
    const script = await signedScript(await newSigningKey());
    const old = { ...X64, openssl: `[ "$1" = version ] && echo "OpenSSL 1.1.1w  11 Sep 2023"` };
    for (const bin of [await path({ fakes: X64 }), await path({ fakes: old })]) {
      await using release = await serveRelease();
      const ended = await install(release, { script, path: bin });
      assert(ended.code === 0 && installed(ended), ended.stderr);
      assertStringIncludes(ended.stderr, "Only the checksum was verified.");
      const asked = release.asked.length;
      const refused = await install(release, { script, path: bin, args: ["--require-signature"] });
      assertEquals([refused.code, contents(refused.home), release.asked.length], [1, [], asked]);
      assertStringIncludes(refused.stderr, "--require-signature needs minisign or OpenSSL 3");
    }
  });

  test("without a key says nothing about signatures, and --require-signature refuses", async () => {
    await using release = await serveRelease();
    const bin = await path({ plus: ["openssl"], fakes: X64 });
    const ended = await install(release, { path: bin });
    assert(ended.code === 0 && !ended.stderr.includes("signature"), ended.stderr);
    const refused = await install(release, { path: bin, args: ["--require-signature"] });
    assertEquals([refused.code, contents(refused.home)], [1, []]);
    assertStringIncludes(refused.stderr, "this install.sh has no release key");
  });

  for (const downloader of ["curl", "wget"]) {
    const bin = () =>
      path(downloader === "curl" ? { fakes: X64 } : { without: ["curl"], plus: ["wget"], fakes: X64 });

    test(`with ${downloader} follows safe redirects, and checks every one of them`, async () => {
      await using other = await serveRelease();
      await using release = await serveRelease();
      release.redirects.set("SHA256SUMS", "/moved/SUMS");
      release.redirects.set("moved/SUMS", `${other.url}/SHA256SUMS`);
      const good = await install(release, { path: await bin() });
      assert(good.code === 0 && installed(good), good.stderr);
      assertEquals(other.asked, ["SHA256SUMS"]);
      assertEquals(release.asked, ["SHA256SUMS", "moved/SUMS", "signet-pi-linux-x64.xz"]);
      const cases: [string, string][] = [
        ["http://release.example/SUMS", "plain HTTP to another machine"],
        ["http://127.0.0.1.release.example/SUMS", "plain HTTP to another machine"],
        ["http://127.0.0.1:80@release.example/SUMS", "contains an @"],
        ["ftp://127.0.0.1/SUMS", "not an http or https URL"],
        ["/SHA256SUMS", "redirects more than 10 times"],
      ];
      for (const [location, message] of cases) {
        release.redirects.set("SHA256SUMS", location);
        const ended = await install(release, { path: await bin() });
        assertEquals([ended.code, contents(ended.home)], [1, []], `${location}: ${ended.stderr}`);
        assertStringIncludes(ended.stderr, message);
      }
    });

    test(`with ${downloader} never follows https to http`, async () => {
      await using certificates = await makeCertificates();
      await using plain = await serveRelease();
      await using release = await serveRelease(undefined, certificates);
      const wgetrc = await Deno.makeTempFile();
      await Deno.writeTextFile(wgetrc, `ca_certificate = ${certificates.ca}\n`);
      const env = { CURL_CA_BUNDLE: certificates.ca, WGETRC: wgetrc };
      const good = await install(release, { path: await bin(), env });
      assert(good.code === 0 && installed(good), good.stderr);
      for (const file of ["SHA256SUMS", "signet-pi-linux-x64.xz"]) {
        release.redirects.clear();
        release.redirects.set(file, `${plain.url}/${file}`);
        for (const args of [[], ["--insecure-http"]]) {
          const ended = await install(release, { path: await bin(), env, args });
          assertEquals([ended.code, contents(ended.home)], [1, []], ended.stderr);
          assertStringIncludes(ended.stderr, "redirects from https to http://127.0.0.1");
        }
      }
      assertEquals(plain.asked, []);
    });
  }

  test("makes directories that only the user can write to, whatever the umask", async () => {
    const cases: [string, number][] = [["000", 0o755], ["002", 0o755], ["022", 0o755], ["077", 0o700], [
      "777",
      0o700,
    ]];
    for (const [umask, mode] of cases) {
      await using release = await serveRelease();
      const ended = await install(release, { before: `umask ${umask}` });
      assertEquals(ended.code, 0, `${umask}: ${ended.stderr}`);
      for (const dir of [".local", ".local/bin", ".local/state", ".local/state/signet"]) {
        const found = ((await Deno.stat(`${ended.home}/${dir}`)).mode ?? 0) & 0o777;
        assertEquals(found.toString(8), mode.toString(8), `umask ${umask}: ${dir}`);
      }
      const found = ((await Deno.stat(`${ended.home}/.local/bin/signet-pi`)).mode ?? 0) & 0o777;
      assertEquals(found, 0o755, umask);
    }
  });
}

/** The signature of the release by somebody else. */
async function foreign(release: Served): Promise<string> {
  const sums = release.files.get("SHA256SUMS") ?? new Uint8Array();
  return await minisignature(await newSigningKey(), sums, "signet-connectors 9.9.9");
}

Deno.test({
  name: "minisign itself accepts a signature made with a key that it made (needs minisign)",
  ignore: !HAS_MINISIGN,
  async fn() {
    const dir = await Deno.makeTempDir();
    const minisign = (...args: string[]) => run("minisign", args, { cwd: dir, timeoutMs: HANG_MS });
    assertEquals((await minisign("-G", "-W", "-p", "key.pub", "-s", "key")).code, 0);
    const key = await readSigningKey(await Deno.readTextFile(`${dir}/key`), "key");
    assertStringIncludes(await Deno.readTextFile(`${dir}/key.pub`), key.publicKey);
    const message = new TextEncoder().encode("0123  signet-pi\n");
    await Deno.writeFile(`${dir}/SHA256SUMS`, message);
    await Deno.writeTextFile(`${dir}/SHA256SUMS.minisig`, await minisignature(key, message, "comment"));
    const verified = await minisign("-V", "-p", "key.pub", "-m", "SHA256SUMS");
    assertEquals(verified.code, 0, verified.stderr);
    assertStringIncludes(verified.stdout, "Trusted comment: comment");
  },
});
