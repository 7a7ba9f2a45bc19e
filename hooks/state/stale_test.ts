import { assertEquals } from "@std/assert";
import { until } from "../../connectors/base/testing/until.ts";
import { fileVersion, isStale, parseStamp, refreshStale } from "./stale.ts";

Deno.test("isStale() sees a file that changed, came, went, or got an older date", () => {
  const stamp = { files: { "/w/AGENTS.md": "100:5", "/w/SOUL.md": null } };
  const cases: [Record<string, string | null>, boolean][] = [
    [{ "/w/AGENTS.md": "100:5", "/w/SOUL.md": null }, false],
    [{ "/w/AGENTS.md": "101:5", "/w/SOUL.md": null }, true],
    [{ "/w/AGENTS.md": "100:6", "/w/SOUL.md": null }, true],
    [{ "/w/AGENTS.md": "50:5", "/w/SOUL.md": null }, true],
    [{ "/w/AGENTS.md": null, "/w/SOUL.md": null }, true],
    [{ "/w/AGENTS.md": "100:5", "/w/SOUL.md": "1:1" }, true],
  ];
  for (const [files, expected] of cases) {
    assertEquals(isStale(stamp, (path) => files[path] ?? null), expected, JSON.stringify(files));
  }
});

Deno.test("parseStamp() takes nothing but a stamp", () => {
  assertEquals(parseStamp('{"files":{"/a":"1:2","/b":null}}'), { files: { "/a": "1:2", "/b": null } });
  for (const text of ["", "{", "null", "[]", "{}", '{"files":[]}', '{"files":{"/a":1}}', '{"files":null}']) {
    assertEquals(parseStamp(text), undefined, text);
  }
});

Deno.test("refreshStale() starts a sync when a source changed, and only then", async () => {
  const dir = await Deno.makeTempDir();
  const source = `${dir}/AGENTS.md`;
  const stampPath = `${dir}/identity.json`;
  const started: (readonly string[])[] = [];
  const refresh = () =>
    refreshStale(stampPath, ["bin", "sync", "--quiet"], (argv) => void started.push(argv));
  assertEquals(refresh(), false, "no stamp");
  await Deno.writeTextFile(stampPath, "garbage");
  assertEquals(refresh(), false, "garbage");
  await Deno.writeTextFile(source, "one");
  await Deno.writeTextFile(stampPath, JSON.stringify({ files: { [source]: fileVersion(source) } }));
  assertEquals(refresh(), false, "fresh");
  await Deno.writeTextFile(source, "longer");
  assertEquals(refresh(), true, "changed");
  assertEquals(started, [["bin", "sync", "--quiet"]]);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("refreshStale() lives through a program that cannot be started", async () => {
  const dir = await Deno.makeTempDir();
  await Deno.writeTextFile(`${dir}/identity.json`, JSON.stringify({ files: { [`${dir}/gone`]: "1:1" } }));
  assertEquals(refreshStale(`${dir}/identity.json`, [`${dir}/no-program`, "sync"]), false);
  await Deno.remove(dir, { recursive: true });
});

Deno.test({
  name: "refreshStale() starts the program apart from this one, out of the project's directory",
  ignore: Deno.build.os === "windows",
  // The child is nobody's to wait for: that is the point.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const dir = await Deno.realPath(await Deno.makeTempDir());
    await Deno.writeTextFile(`${dir}/identity.json`, JSON.stringify({ files: { [`${dir}/gone`]: "1:1" } }));
    assertEquals(
      refreshStale(`${dir}/identity.json`, ["/bin/sh", "-c", "pwd -P > out.tmp && mv out.tmp out"]),
      true,
    );
    const out = await until(
      "the program has run",
      () => Deno.readTextFile(`${dir}/out`).catch(() => undefined),
    );
    assertEquals(out, `${dir}\n`);
    await Deno.remove(dir, { recursive: true });
  },
});
