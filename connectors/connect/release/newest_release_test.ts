import { assertEquals, assertRejects } from "@std/assert";
import { minisignature } from "../../../scripts/release/sign.ts";
import { newSigningKey } from "../../../tests/worlds/install/signing_key.ts";
import { UserError } from "../../base/cli/command.ts";
import { digest } from "../../base/fs/digest.ts";
import { compareVersions, newestRelease, releasePlaces } from "./newest_release.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("releasePlaces() looks at latest/ beside a versioned release, and at the release itself", () => {
  const cases: [string, string[]][] = [
    ["https://d.example/signet/v0.1.0", [
      "https://d.example/signet/latest",
      "https://d.example/signet/v0.1.0",
    ]],
    ["https://d.example/0.1.0/", ["https://d.example/latest", "https://d.example/0.1.0"]],
    ["https://d.example/signet/", ["https://d.example/signet"]],
    ["https://d.example/signet/latest", ["https://d.example/signet/latest"]],
    ["https://g.example/o/r/releases/download/v0.1.0", [
      "https://g.example/o/r/releases/latest/download",
      "https://g.example/o/r/releases/download/v0.1.0",
    ]],
    ["http://127.0.0.1:8000", ["http://127.0.0.1:8000"]],
    ["http://127.0.0.1:8000/v1", ["http://127.0.0.1:8000/latest", "http://127.0.0.1:8000/v1"]],
    ["./v0.1.0", ["./v0.1.0"]],
  ];
  for (const [from, places] of cases) assertEquals(releasePlaces(from), places);
});

Deno.test("compareVersions() orders as semver does", () => {
  const ordered = [
    "0.9.9",
    "0.10.0-alpha",
    "0.10.0-alpha.2",
    "0.10.0-alpha.10",
    "0.10.0-beta",
    "0.10.0",
    "1.0.0",
  ];
  const shuffled = ordered.toSorted((a, b) => a < b ? 1 : -1);
  assertEquals(shuffled.sort(compareVersions), ordered);
  assertEquals(compareVersions("v1.2.3", "1.2.3+build.5"), 0);
});

type Files = Record<string, string>;

/** A server with these releases, by directory; each lists what it has. */
async function serve(releases: Record<string, Files>, extra: Files = {}) {
  const all = new Map(Object.entries(extra).map(([path, text]) => [path, text]));
  for (const [dir, files] of Object.entries(releases)) {
    const lines = await Promise.all(
      Object.entries(files).map(async ([name, text]) => `${await digest(bytes(text))}  ${name}\n`),
    );
    if (!all.has(`/${dir}/SHA256SUMS`)) all.set(`/${dir}/SHA256SUMS`, lines.join(""));
    for (const [name, text] of Object.entries(files)) all.set(`/${dir}/${name}`, text);
  }
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const text = all.get(new URL(request.url).pathname);
    return text === undefined ? new Response("none", { status: 404 }) : new Response(text);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    all,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const manifest = (version: string, ...connectors: string[]): Files => ({
  "release.json": JSON.stringify({ version, binaries: connectors.map((connector) => ({ connector })) }),
});
const OPTIONS = { insecureHttp: false };

Deno.test("newestRelease() takes the newer of the two, and needs only one of them", async () => {
  const cases: [Record<string, Files>, string, string][] = [
    [{ latest: manifest("0.10.0", "pi", "pi", "new"), "v0.9.0": manifest("0.9.0") }, "latest", "0.10.0"],
    [{ latest: manifest("0.8.0"), "v0.9.0": manifest("0.9.0", "pi", "new") }, "v0.9.0", "0.9.0"],
    [{ "v0.9.0": manifest("0.9.0", "pi", "new") }, "v0.9.0", "0.9.0"],
    [{ latest: manifest("1.0.0", "pi", "new") }, "latest", "1.0.0"],
  ];
  for (const [releases, dir, version] of cases) {
    await using server = await serve(releases);
    const newest = await newestRelease(`${server.url}/v0.9.0`, OPTIONS);
    assertEquals([newest.release.name, newest.version], [`${server.url}/${dir}`, version]);
    assertEquals(newest.connectors, ["pi", "new"]);
  }
  // A server that answers every path with a page has no release there.
  await using pages = await serve({ "v0.9.0": manifest("0.9.0") }, { "/latest/SHA256SUMS": "<html>" });
  assertEquals((await newestRelease(`${pages.url}/v0.9.0`, OPTIONS)).version, "0.9.0");
});

Deno.test("newestRelease() refuses what it cannot read or trust", async () => {
  const good = manifest("0.9.0");
  const cases: [Record<string, Files>, Files, string][] = [
    [{}, {}, "/v0.9.0/SHA256SUMS returned status 404"],
    [{ "v0.9.0": { other: "x" } }, {}, "release.json of"],
    [{ "v0.9.0": { "release.json": "{" } }, {}, "is missing or damaged"],
    [{ "v0.9.0": { "release.json": "{}" } }, {}, "is missing or damaged"],
    [
      { "v0.9.0": good },
      { "/v0.9.0/SHA256SUMS": `${"0".repeat(64)}  release.json\n` },
      "has the wrong checksum",
    ],
  ];
  for (const [releases, extra, message] of cases) {
    await using server = await serve(releases, extra);
    await assertRejects(() => newestRelease(`${server.url}/v0.9.0`, OPTIONS), UserError, message);
  }
});

Deno.test("newestRelease() does not fall back to an older release if the newest is not signed", async () => {
  const key = await newSigningKey();
  await using server = await serve({ latest: manifest("1.0.0"), "v0.9.0": manifest("0.9.0") });
  const sign = async (dir: string) =>
    server.all.set(
      `/${dir}/SHA256SUMS.minisig`,
      await minisignature(key, bytes(server.all.get(`/${dir}/SHA256SUMS`) ?? ""), "test"),
    );
  const options = { ...OPTIONS, key: key.publicKey };
  const open = () => newestRelease(`${server.url}/v0.9.0`, options);
  await sign("v0.9.0");
  await assertRejects(open, UserError, "/latest has no valid signature");
  await sign("latest");
  assertEquals((await open()).version, "1.0.0");
});
