import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sha256 } from "../../scripts/build/sha256.ts";
import { hostTarget } from "../../scripts/build/targets.ts";
import { linkOrCopy } from "../../scripts/release/artifacts.ts";
import { CONNECT, Connected, PYAGENT } from "../worlds/connected.ts";

/** In place of a new binary: it starts, and prints its version. */
const good = (name: string) => `#!/bin/sh\n[ "$1" = --version ] && echo "${name} 9.9.9"\nexit 0\n`;
const SOURCE = ".local/state/signet/release-source";
const LABEL = hostTarget().label;

/** A release on a loopback server: the files it lists, and the files it serves. */
async function serve(
  given: Record<string, string>,
  listed: Record<string, string> = given,
  version = "9.9.9",
) {
  const line = async (name: string, text: string) =>
    `${await sha256(new TextEncoder().encode(text))}  ${name}\n`;
  const manifest = JSON.stringify({ version, binaries: [{ connector: "connect" }, { connector: "zed" }] });
  const lines = await Promise.all([
    ...Object.entries(listed).map(([name, text]) => line(`${name}-${LABEL}`, text)),
    ...Object.keys(listed).length > 0 ? [line("release.json", manifest)] : [],
  ]);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const file = new URL(request.url).pathname.replace(/^\/(latest\/)?/, "");
    if (file === "release.json") return new Response(manifest);
    if (file === "SHA256SUMS") return new Response(lines.join(""));
    const text = given[file.replace(`-${LABEL}`, "")];
    return text === undefined ? new Response("none", { status: 404 }) : new Response(text);
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** Two programs in use: PyAgent's own, and signet-connect, to which Claude Code's is a link. */
async function installed() {
  const place = await Connected.create();
  assertEquals((await place.install(PYAGENT, [])).code, 0);
  assertEquals((await place.install(CONNECT, ["claude-code"])).code, 0);
  return { place, connect: `${place.world.home}/.local/bin/signet-connect` };
}

Deno.test("signet-connect upgrade replaces every installed program, itself included, and no config", async () => {
  const { place, connect } = await installed();
  await using _ = place;
  const { world } = place;
  await using release = await serve({
    "signet-connect": good("signet-connect"),
    "signet-pyagent": good("signet-pyagent"),
  });
  const before = await world.snapshot();
  const dry = await world.run(connect, ["upgrade", "--from", release.url, "--dry-run"]);
  assertEquals([dry.code, dry.err], [0, ""]);
  assertStringIncludes(dry.out, `~/.local/bin/signet-pyagent <- signet-pyagent-${LABEL}\n`);
  assertEquals(await world.snapshot(), before);

  const done = await world.run(connect, ["upgrade", "--from", release.url]);
  assertEquals([done.code, done.err], [0, ""]);
  for (const name of ["signet-connect", "signet-pyagent"]) {
    assertMatch(done.out, new RegExp(`✓ Upgraded ${name} \\d\\S+ → 9\\.9\\.9 \\(~/\\.local/bin/${name}\\)`));
    assertEquals((await world.run(`${world.home}/.local/bin/${name}`, ["--version"])).out, `${name} 9.9.9\n`);
  }
  const after = await world.snapshot();
  assertEquals(await world.read(SOURCE), `${release.url}\n`);
  after.delete(`/${SOURCE}`);
  const changed = [...after].filter(([path, content]) => before.get(path) !== content).map(([path]) => path);
  assertEquals(changed, [
    "/.local/bin/signet-connect",
    "/.local/bin/signet-pyagent",
    "/.local/state/signet/claude-code/ledger.json",
    "/.local/state/signet/pyagent/ledger.json",
  ]);
  assertEquals([...after.keys()], [...before.keys()], "nothing is left beside them");

  // The ledger has the new programs.
  assertEquals((await place.connect(["uninstall", "--all"])).err, "");
  assertEquals((await world.sh("find . -name 'signet*' -o -name release-source")).out, "");
});

Deno.test("signet-connect upgrade changes nothing where the release is broken in any way", async () => {
  const { place, connect } = await installed();
  await using _ = place;
  const { world } = place;
  const before = await world.snapshot();
  const fine = { "signet-connect": good("signet-connect"), "signet-pyagent": good("signet-pyagent") };
  const broken = { ...fine, "signet-pyagent": "#!/bin/sh\necho 'no such symbol' >&2\nexit 1\n" };
  // It starts as signet-connect, and not through the link.
  const noLink = {
    ...fine,
    "signet-connect": `#!/bin/sh\ncase $0 in *signet-claude-code) echo "no such name" >&2; exit 1;; esac\n`,
  };
  const noHook = { ...fine, "signet-connect": '#!/bin/sh\n[ "$1" = --version ] && exit 0\nexit 70\n' };
  const cases: [Record<string, string>, Record<string, string>, RegExp][] = [
    [broken, broken, /The new signet-pyagent does not start on this machine \(--version: no such symbol\)/],
    [noHook, noHook, /The new signet-connect does not start on this machine \(hook --help: exit code 70\)/],
    [noLink, noLink, /The upgrade was rolled back \(--version: no such name\)/],
    [broken, fine, /signet-pyagent-\S+ from \S+ has the wrong checksum/],
    [fine, { "signet-connect": fine["signet-connect"] }, /has no signet-pyagent-/],
    [{}, fine, /returned status 404/],
    [fine, {}, /has no SHA256SUMS file with checksums/],
  ];
  for (const [given, listed, said] of cases) {
    await using release = await serve(given, listed);
    const { code, err, out } = await world.run(connect, ["upgrade", "--from", release.url]);
    assertEquals([code, out], [1, ""], err);
    assertMatch(err, said);
    assertEquals(await world.snapshot(), before);
  }
});

Deno.test("signet-connect upgrade needs no flag once it knows where the programs came from", async () => {
  const { place, connect } = await installed();
  await using _ = place;
  const { world } = place;
  const unknown = await world.run(connect, ["upgrade"]);
  assertEquals(unknown.code, 2);
  assertStringIncludes(unknown.err, "it is not known where the programs came from");

  const fine = { "signet-connect": good("signet-connect"), "signet-pyagent": good("signet-pyagent") };
  await using release = await serve(fine);
  await world.write(SOURCE, `${release.url}/v0.1.0\n`);
  const before = await world.snapshot();
  const checked = await world.run(connect, ["upgrade", "--check"]);
  assertEquals([checked.code, checked.err], [0, ""]);
  assertStringIncludes(checked.out, `9.9.9 is available at ${release.url}/latest\n`);
  assertMatch(checked.out, /signet-connect \d\S+ → 9\.9\.9 \(~\/\.local\/bin\/signet-connect\)/);
  assertStringIncludes(checked.out, "New: signet-zed\n");
  assertStringIncludes(checked.out, "To upgrade, run: signet-connect upgrade\n");
  const json = JSON.parse((await world.run(connect, ["upgrade", "--check", "--json"])).out);
  assertEquals([json.version, json.changes.length, json.signed], ["9.9.9", 2, false]);
  assertEquals(await world.snapshot(), before);

  const done = await world.run(connect, ["upgrade"]);
  assertEquals([done.code, done.err], [0, ""]);
  assertEquals(await world.read(SOURCE), `${release.url}/latest\n`);
  assertEquals(await place.programs(), [
    "signet-claude-code -> signet-connect",
    "signet-connect",
    "signet-pyagent",
  ]);
});

Deno.test("signet-connect upgrade does not go back to an older release unless that is named", async () => {
  const { place, connect } = await installed();
  await using _ = place;
  const { world } = place;
  const fine = { "signet-connect": good("signet-connect"), "signet-pyagent": good("signet-pyagent") };
  await using release = await serve(fine, fine, "0.0.1");
  await world.write(SOURCE, `${release.url}\n`);
  const before = await world.snapshot();
  for (const args of [["upgrade"], ["upgrade", "--check"]]) {
    const { code, out, err } = await world.run(connect, args);
    assertEquals([code, err], [0, ""]);
    assertStringIncludes(out, `is newer than the newest release at ${release.url} (0.0.1)`);
  }
  assertEquals(await world.snapshot(), before);
  assertEquals((await world.run(connect, ["upgrade", "--from", release.url])).code, 0);
});

Deno.test("signet-connect upgrade from a directory knows what is current already", async () => {
  const { place, connect } = await installed();
  await using _ = place;
  const { world } = place;
  const before = await world.snapshot();
  const dir = `${world.root}/release`;
  await Deno.mkdir(dir);
  let sums = "";
  for (const [name, path] of [["signet-connect", CONNECT], ["signet-pyagent", PYAGENT]] as const) {
    await linkOrCopy(path, `${dir}/${name}-${LABEL}`);
    sums += `${await sha256(await Deno.readFile(path))}  ${name}-${LABEL}\n`;
  }
  await Deno.writeTextFile(`${dir}/SHA256SUMS`, sums);
  const { code, out, err } = await world.run(connect, ["upgrade", "--from", dir, "--json"]);
  assertEquals([code, err], [0, ""]);
  const { current, upgraded } = JSON.parse(out);
  assertEquals([current.length, upgraded], [2, []]);
  const logged = /hook\.log$/;
  const files = (all: Map<string, string>) => [...all].filter(([path]) => !logged.test(path));
  assertEquals(files(await world.snapshot()), files(before));
});
