import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sha256File } from "../../scripts/build/sha256.ts";
import { run } from "../../scripts/build/run.ts";
import { ROOT, scratchDir, script } from "../worlds/built.ts";
import { HANG_MS } from "../../connectors/base/testing/until.ts";

const NOT_SOURCES = [".git", ".cache", "dist", "node_modules"];

/** The sources, in a place of their own. */
async function copySources(to: string, from = ROOT): Promise<string> {
  await Deno.mkdir(to, { recursive: true });
  for await (const entry of Deno.readDir(from)) {
    const [source, target] = [`${from}/${entry.name}`, `${to}/${entry.name}`];
    if (entry.isDirectory) {
      if (!NOT_SOURCES.includes(entry.name)) await copySources(target, source);
    } else if (!NOT_SOURCES.includes(entry.name)) {
      await Deno.copyFile(source, target);
    }
  }
  return to;
}

Deno.test("build makes the same bytes from two copies of the sources, with two caches", async () => {
  const hashes: string[] = [];
  await using one = await scratchDir();
  await using other = await scratchDir();
  const places: [string, Record<string, string>][] = [
    [`${one.dir}/clone`, {}],
    [`${other.dir}/two/levels/down`, { DENO_DIR: `${other.dir}/deno` }],
  ];
  for (const [place, env] of places) {
    const root = await copySources(place);
    const ended = await script("build", ["pyagent"], { root, env });
    assertEquals(ended.code, 0, ended.stderr);
    hashes.push(await sha256File(`${root}/dist/signet-pyagent`));
  }
  assertEquals(hashes[0], hashes[1]);
});

Deno.test("build leaves a binary alone when nothing it is made of has changed", async () => {
  await using made = await scratchDir();
  const out = made.dir;
  const first = await script("build", ["--out", out, "pyagent"]);
  assertStringIncludes(first.stdout, "(built and tested)", first.stderr);
  assertMatch(first.stdout, /signet-pyagent {2}\d+\.\d MB/);
  const { mtime, ino } = await Deno.stat(`${out}/signet-pyagent`);
  const second = await script("build", ["--out", out, "pyagent"]);
  assertStringIncludes(second.stdout, "(unchanged)", second.stderr);
  const now = await Deno.stat(`${out}/signet-pyagent`);
  assertEquals([now.mtime, now.ino], [mtime, ino]);
});

Deno.test("build may run twice at once, and leaves nothing but the binary and its stamp", async () => {
  await using made = await scratchDir();
  const out = made.dir;
  const both = await Promise.all([1, 2].map(() => script("build", ["--out", out, "pyagent"])));
  for (const ended of both) assertEquals(ended.code, 0, ended.stderr);
  const answer = await run(`${out}/signet-pyagent`, ["--version"], { timeoutMs: HANG_MS });
  assertEquals(answer.code, 0);
  const left = [...Deno.readDirSync(out)].map((e) => e.name).sort();
  assertEquals(left, [".signet-pyagent.built", "signet-pyagent"]);
});

Deno.test("build --denort-path prints the runtime, which deno compile can use", async () => {
  const ended = await script("build", ["--denort-path"]);
  assertEquals(ended.code, 0, ended.stderr);
  const path = ended.stdout.trim();
  assert((await Deno.stat(path)).isFile);
  await using work = await scratchDir();
  const dir = work.dir;
  await Deno.writeTextFile(`${dir}/hi.js`, `console.log("hi");`);
  const compiled = await run(Deno.execPath(), [
    "compile",
    "-q",
    "--no-config",
    "-o",
    `${dir}/hi`,
    `${dir}/hi.js`,
  ], {
    cwd: dir,
    env: { DENORT_BIN: path },
    timeoutMs: HANG_MS,
  });
  assertEquals(compiled.code, 0, compiled.stderr);
  assertEquals((await run(`${dir}/hi`, [], { timeoutMs: HANG_MS })).stdout, "hi\n");
});

Deno.test("build fails for a binary that answers wrongly, and puts none in place", async () => {
  await using work = await scratchDir();
  const root = await copySources(`${work.dir}/wrong`);
  const cli = `${root}/connectors/base/cli/main.ts`;
  const wrong = (await Deno.readTextFile(cli)).replace(
    "`${program.binary} ${VERSION}\\n`",
    '"not what was asked\\n"',
  );
  await Deno.writeTextFile(cli, wrong);
  const ended = await script("build", ["pyagent"], { root });
  assertEquals(ended.code, 1);
  assertStringIncludes(ended.stderr, "signet-pyagent --version does not print");
  assertEquals([...Deno.readDirSync(`${root}/dist`)], []);
});

Deno.test("build refuses a runtime for another machine", async () => {
  const other = Deno.build.arch === "x86_64" ? "linux-arm64" : "linux-x64";
  const { stdout } = await script("build", ["--denort-path", "--target", other]);
  await using made = await scratchDir();
  const out = made.dir;
  const ended = await script("build", ["--out", out, "pyagent"], { env: { DENORT_BIN: stdout.trim() } });
  assertEquals(ended.code, 1);
  assertStringIncludes(ended.stderr, `a program for ${other}`);
});
