import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Ended, run } from "../../scripts/build/run.ts";
import { contents, path, SCRIPT, SHELLS } from "../worlds/install/install_machine.ts";
import { serveRelease } from "../worlds/install/served_release.ts";
import { HANG_MS } from "../../connectors/base/testing/until.ts";

/** What install.sh leaves for `signet-connect upgrade`. */
const RECORD = [
  ".local/state",
  ".local/state/signet",
  ".local/state/signet/install.dirs",
  ".local/state/signet/release-source",
];
const X64 = { uname: `[ "$1" = -m ] && echo x86_64 || echo Linux` };

for (const [shell, [program = "", ...first]] of Object.entries(SHELLS)) {
  const install = async (
    home: string,
    args: readonly string[],
    options: { path?: string; input?: string; env?: Record<string, string> } = {},
  ): Promise<Ended> =>
    await run(program, [...first, SCRIPT, ...args], {
      cwd: home,
      env: { HOME: home, PATH: options.path ?? await path({ fakes: X64 }), ...options.env },
      clearEnv: true,
      input: options.input,
      timeoutMs: HANG_MS,
    });
  const test = (title: string, fn: () => Promise<void>) =>
    Deno.test(`install.sh under ${shell} ${title}`, fn);

  test("installs one connector, says the PATH line, records the source, and changes no other file", async () => {
    await using release = await serveRelease();
    const home = await Deno.makeTempDir();
    const ended = await install(home, ["--base-url", release.url, "pi"]);
    assertEquals(ended.code, 0, ended.stderr);
    assertEquals(contents(home), [".local", ".local/bin", ".local/bin/signet-pi", ...RECORD]);
    assertEquals(await Deno.readTextFile(`${home}/${RECORD.at(-1)}`), `${release.url}\n`);
    assertEquals(((await Deno.stat(`${home}/.local/bin/signet-pi`)).mode ?? 0) & 0o777, 0o755);
    assertStringIncludes(ended.stderr, `✓ Installed ${home}/.local/bin/signet-pi`);
    assertStringIncludes(ended.stderr, `export PATH="${home}/.local/bin:$PATH"`);
    assertStringIncludes(ended.stderr, "install --url URL --api-key-file FILE");
    assertEquals(release.asked, ["SHA256SUMS", "signet-pi-linux-x64.xz"]);
  });

  test("takes the form that this machine can unpack", async () => {
    const cases: [string[], string[], string][] = [
      [["", ".xz", ".zip"], ["xz"], "signet-pi-linux-x64.zip"],
      [["", ".xz", ".zip"], ["xz", "unzip"], "signet-pi-linux-x64"],
      [["", ".zip"], [], "signet-pi-linux-x64.zip"],
    ];
    for (const [forms, without, asset] of cases) {
      await using release = await serveRelease(forms);
      const home = await Deno.makeTempDir();
      const ended = await install(home, ["--base-url", release.url, "pi"], {
        path: await path({ without, fakes: X64 }),
      });
      assertEquals(ended.code, 0, ended.stderr);
      assertEquals(release.asked.at(-1), asset);
      assert(contents(home).includes(".local/bin/signet-pi"));
    }
  });

  test("picks the other CPU's binary on the other CPU", async () => {
    await using release = await serveRelease();
    const home = await Deno.makeTempDir();
    const arm = await path({ fakes: { uname: `[ "$1" = -m ] && echo aarch64 || echo Linux` } });
    assertEquals((await install(home, ["--base-url", release.url, "pi"], { path: arm })).code, 0);
    assertEquals(release.asked.at(-1), "signet-pi-linux-arm64.xz");
  });

  test("honours --dir and --version, and is quiet about a PATH that is right", async () => {
    await using release = await serveRelease();
    const home = await Deno.makeTempDir();
    const ended = await install(home, [
      "--base-url",
      `${release.url}/`,
      "--version",
      "v9.9.9",
      "--dir",
      "bin/",
      "signet-pi",
    ], {
      path: `${await path({ fakes: X64 })}:${home}/bin`,
    });
    assertEquals(ended.code, 0, ended.stderr);
    assertEquals(contents(home), [".local", ...RECORD, "bin", "bin/signet-pi"]);
    assertEquals(await Deno.readTextFile(`${home}/${RECORD.at(-1)}`), `${release.url}/v9.9.9\n`);
    assert(!ended.stderr.includes("PATH"), ended.stderr);
    assertEquals(release.asked.length, 2);
  });

  test("lists a state directory for the last uninstall only if it made it", async () => {
    await using release = await serveRelease();
    const made = await Deno.makeTempDir();
    const older = await Deno.makeTempDir();
    await Deno.mkdir(`${older}/.local/state`, { recursive: true });
    for (const home of [made, made, older]) {
      const ended = await install(home, ["--base-url", release.url, "pi"]);
      assertEquals(ended.code, 0, ended.stderr);
    }
    const list = ".local/state/signet/install.dirs";
    assertEquals(await Deno.readTextFile(`${made}/${list}`), '["~/.local/state"]\n');
    assertEquals(contents(`${older}/.local/state`), ["signet", "signet/release-source"]);
  });

  test("passes on what follows --, with stdin and the exit code", async () => {
    await using release = await serveRelease();
    const home = await Deno.makeTempDir();
    const args = [
      "--base-url",
      release.url,
      "pi",
      "--",
      "install",
      "--url",
      "https://d.example",
      "--dir",
      "a b",
    ];
    const ended = await install(home, args, { input: "key\n" });
    assertEquals(ended.stdout, "ran with: install --url https://d.example --dir a b\nkey\n");
    assertEquals(ended.code, 7);
  });

  test("runs from a pipe, and runs nothing of a script that breaks off", async () => {
    await using release = await serveRelease();
    const text = await Deno.readTextFile(SCRIPT);
    const pipe = async (script: string) => {
      const home = await Deno.makeTempDir();
      const ended = await run(program, [...first, "-s", "--", "--base-url", release.url, "pi"], {
        cwd: home,
        env: { HOME: home, PATH: await path({ fakes: X64 }) },
        clearEnv: true,
        input: script,
        timeoutMs: HANG_MS,
      });
      return { ended, left: contents(home) };
    };
    const whole = await pipe(text);
    assert(whole.left.includes(".local/bin/signet-pi"), whole.ended.stderr);
    const count = release.asked.length;
    for (const share of [0.3, 0.6, 0.9]) {
      assertEquals((await pipe(text.slice(0, Math.floor(text.length * share)))).left, []);
    }
    assertEquals((await pipe(text.slice(0, text.lastIndexOf("main")))).left, []);
    assertEquals(release.asked.length, count);
  });

  test("checks with shasum or openssl where sha256sum is not there", async () => {
    for (const tool of ["shasum", "openssl"]) {
      await using release = await serveRelease();
      const bin = await path({ without: ["sha256sum"], plus: [tool, "perl"], fakes: X64 });
      const good = await install(await Deno.makeTempDir(), ["--base-url", release.url, "pi"], { path: bin });
      assertEquals(good.code, 0, good.stderr);
      release.files.set("signet-pi-linux-x64.xz", new Uint8Array([1, 2, 3]));
      const home = await Deno.makeTempDir();
      const bad = await install(home, ["--base-url", release.url, "pi"], { path: bin });
      assertEquals([bad.code, contents(home)], [1, []]);
      assertStringIncludes(bad.stderr, "wrong checksum");
    }
  });

  test("refuses what is damaged, and keeps what was installed before", async () => {
    type Spoil = (release: Awaited<ReturnType<typeof serveRelease>>) => void;
    const xz = "signet-pi-linux-x64.xz";
    const cases: [string, Spoil, RegExp][] = [
      ["truncated", (r) => r.cut = xz, /cannot download .*\.xz/],
      [
        "tampered",
        (r) => r.files.set(xz, (r.files.get(xz) ?? new Uint8Array()).map((b, i) => i === 40 ? b ^ 1 : b)),
        /wrong checksum/,
      ],
      [
        "shorter",
        (r) => r.files.set(xz, (r.files.get(xz) ?? new Uint8Array()).slice(0, -9)),
        /wrong checksum/,
      ],
      ["gone", (r) => r.files.delete(xz), /cannot download .*\.xz/],
      ["without checksums", (r) => r.files.delete("SHA256SUMS"), /cannot download .*SHA256SUMS/],
      [
        "not in the checksums",
        (r) => r.files.set("SHA256SUMS", new Uint8Array()),
        /has no signet-pi-linux-x64/,
      ],
    ];
    for (const [title, spoil, message] of cases) {
      await using release = await serveRelease();
      spoil(release);
      const fresh = await Deno.makeTempDir();
      const first = await install(fresh, ["--base-url", release.url, "pi"]);
      assertEquals([first.code, contents(fresh)], [1, []], `${title}: ${first.stderr}`);
      assertMatch(first.stderr, message);
      const home = await Deno.makeTempDir();
      await Deno.mkdir(`${home}/.local/bin`, { recursive: true });
      await Deno.writeTextFile(`${home}/.local/bin/signet-pi`, "the old one");
      assertEquals((await install(home, ["--base-url", release.url, "pi"])).code, 1, title);
      assertEquals(await Deno.readTextFile(`${home}/.local/bin/signet-pi`), "the old one");
      assertEquals(contents(`${home}/.local/bin`), ["signet-pi"]);
    }
  });

  test("refuses a machine there is no binary for, before any download", async () => {
    const getconf = "exit 1";
    const cases: [Record<string, string>, RegExp][] = [
      [{ uname: `[ "$1" = -m ] && echo riscv64 || echo Linux` }, /no binary for riscv64 processors/],
      [{ uname: `[ "$1" = -m ] && echo amd64 || echo FreeBSD` }, /no binary for FreeBSD/],
      [{ uname: `[ "$1" = -m ] && echo x86_64 || echo MINGW64_NT-10.0` }, /windows-x64\.zip/],
      [
        { ...X64, getconf, ldd: "echo 'musl libc (x86_64)' >&2; exit 1" },
        /uses musl, but the binaries need glibc 2\.27/,
      ],
      [{ ...X64, getconf, ldd: "echo 'ldd (GNU libc) 2.17'" }, /glibc 2\.17, but the binaries need 2\.27/],
      [{ ...X64, getconf: `[ "$1" = LONG_BIT ] && echo 64 || echo glibc 2.26` }, /glibc 2\.26, but/],
      [{ ...X64, getconf: "echo 32" }, /32-bit system/],
    ];
    for (const [fakes, message] of cases) {
      await using release = await serveRelease();
      const home = await Deno.makeTempDir();
      const ended = await install(home, ["--base-url", release.url, "pi"], { path: await path({ fakes }) });
      assertEquals([ended.code, contents(home), release.asked], [1, [], []], ended.stderr);
      assertMatch(ended.stderr, message);
    }
  });

  test("refuses a binary that does not start here", async () => {
    await using release = await serveRelease([""]);
    const head = new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]);
    release.files.set("signet-pi-linux-x64", head);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", head)).toHex();
    release.files.set("SHA256SUMS", new TextEncoder().encode(`${hash}  signet-pi-linux-x64\n`));
    const home = await Deno.makeTempDir();
    const ended = await install(home, ["--base-url", release.url, "pi"]);
    assertEquals([ended.code, contents(home)], [1, []], ended.stderr);
    assertStringIncludes(ended.stderr, "does not start on this machine");
  });

  test("fails closed without a checksum tool, before any download", async () => {
    await using release = await serveRelease();
    const home = await Deno.makeTempDir();
    const ended = await install(home, ["--base-url", release.url, "pi"], {
      path: await path({ without: ["sha256sum"], fakes: X64 }),
    });
    assertEquals([ended.code, contents(home), release.asked], [1, [], []]);
    assertStringIncludes(ended.stderr, "sha256sum, shasum or openssl is needed");
  });

  test("says which directory it cannot write to", async () => {
    await using release = await serveRelease();
    const home = await Deno.makeTempDir();
    await Deno.chmod(home, 0o555);
    for (const args of [[], ["--dir", home]]) {
      // Root writes anywhere, so somebody else tries.
      const nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
      const command = [program, ...first, "-s", "--", "--base-url", release.url, ...args, "pi"];
      const ended = await run("/usr/bin/setpriv", [...nobody, ...command], {
        cwd: "/",
        env: { HOME: home, PATH: await path({ fakes: X64 }) },
        input: await Deno.readTextFile(SCRIPT),
        timeoutMs: HANG_MS,
      });
      assertEquals([ended.code, contents(home), release.asked], [1, [], []], ended.stderr);
      assertMatch(ended.stderr, /cannot (create|write to) .*: choose another directory with --dir/);
    }
  });

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    test(`leaves nothing behind when ${signal} comes in the middle of a download`, async () => {
      await using release = await serveRelease();
      release.stall = "signet-pi-linux-x64.xz";
      const home = await Deno.makeTempDir();
      await using child = new Deno.Command(program, {
        args: [...first, SCRIPT, "--base-url", release.url, "pi"],
        cwd: home,
        env: { HOME: home, PATH: await path({ fakes: X64 }) },
        clearEnv: true,
        stdout: "null",
        stderr: "null",
      }).spawn();
      await release.stalled.promise;
      child.kill(signal);
      const { code } = await child.status;
      assertEquals([code, contents(home)], [{ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal], []]);
    });
  }

  test("says what is wrong with a command line, and downloads nothing", async () => {
    await using release = await serveRelease();
    const base = ["--base-url", release.url];
    const cases: [string[], number, string][] = [
      [["pi"], 2, "--base-url"],
      [[...base, "--frobnicate"], 2, "unknown option --frobnicate"],
      [[...base, "--dir"], 2, "--dir needs a value"],
      [[...base, "pi", "codex"], 2, "pi or codex?"],
      [[...base, "../pi"], 2, "not a connector name"],
      [[...base, "--version", "1/2", "pi"], 2, "not a version"],
      [["--base-url", "ftp://x.example", "pi"], 2, "not an http or https URL"],
      [["--base-url", "http://127.0.0.1:80@x.example", "pi"], 2, "contains an @"],
      [["--base-url", "http://x.example/r", "pi"], 1, "plain HTTP to another machine"],
      [["--base-url", "http://127.0.0.1.x.example/r", "pi"], 1, "plain HTTP to another machine"],
    ];
    for (const [args, code, message] of cases) {
      const home = await Deno.makeTempDir();
      const ended = await install(home, args);
      assertEquals([ended.code, contents(home), release.asked], [code, [], []], `${args}: ${ended.stderr}`);
      assertStringIncludes(ended.stderr, message);
    }
    const nameless = await install(await Deno.makeTempDir(), [...base, "nosuch"]);
    assertEquals(nameless.code, 1);
    assertStringIncludes(nameless.stderr, 'check the name "nosuch"');
    assertStringIncludes((await install("/", ["--help"])).stdout, "Usage: sh install.sh");
  });

  test("downloads with wget where curl is not there", async () => {
    await using release = await serveRelease();
    const home = await Deno.makeTempDir();
    const bin = await path({ without: ["curl"], plus: ["wget"], fakes: X64 });
    const ended = await install(home, ["--base-url", release.url, "pi"], { path: bin });
    assertEquals(ended.code, 0, ended.stderr);
    assert(contents(home).includes(".local/bin/signet-pi"));
    const busybox = await path({ without: ["curl"], fakes: { ...X64, wget: 'exec /bin/busybox wget "$@"' } });
    const other = await Deno.makeTempDir();
    const refused = await install(other, ["--base-url", release.url, "pi"], { path: busybox });
    assertEquals([refused.code, contents(other)], [1, []]);
    assertStringIncludes(refused.stderr, "curl or GNU wget is needed");
  });
}
