import { assertEquals } from "@std/assert";
import { HOST } from "../../../state/paths.ts";
import { isWithin, lockKey, readings, realPath, targetPath, withoutDots } from "./target_path.ts";

async function scratch(): Promise<string> {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${dir}/real/sub`, { recursive: true });
  await Deno.writeTextFile(`${dir}/real/a.ts`, "a");
  await Deno.symlink(`${dir}/real`, `${dir}/linked`);
  await Deno.symlink("a.ts", `${dir}/real/alias.ts`);
  await Deno.symlink("not-yet.ts", `${dir}/real/dangling.ts`);
  await Deno.symlink("loop", `${dir}/loop`);
  return dir;
}

Deno.test("realPath() follows links, also to what does not exist yet", async () => {
  const dir = await scratch();
  const cases: [string, string][] = [
    ["real/a.ts", "real/a.ts"],
    ["linked/a.ts", "real/a.ts"],
    ["real/alias.ts", "real/a.ts"],
    ["linked/new/deep/x.ts", "real/new/deep/x.ts"],
    ["real/dangling.ts", "real/not-yet.ts"],
    ["linked/dangling.ts", "real/not-yet.ts"],
    ["real//./a.ts", "real/a.ts"],
    ["real/a.ts/", "real/a.ts"],
    ["linked/sub/../a.ts", "real/a.ts"],
    ["loop", "loop"],
  ];
  for (const [path, expected] of cases) assertEquals(realPath(`${dir}/${path}`), `${dir}/${expected}`, path);
  assertEquals(realPath("/"), "/");
  assertEquals(realPath("/no-such-directory/x"), "/no-such-directory/x");
});

Deno.test("targetPath() gives both meanings of `..` after a link", async () => {
  const dir = await scratch();
  await Deno.mkdir(`${dir}/far/away`, { recursive: true });
  await Deno.symlink(`${dir}/far/away`, `${dir}/jump`);
  const { paths } = targetPath("jump/../x.ts", dir);
  assertEquals(new Set(paths), new Set([`${dir}/x.ts`, `${dir}/far/x.ts`]));
});

Deno.test("targetPath() covers a link and what it leads to", async () => {
  const dir = await scratch();
  assertEquals(
    new Set(targetPath("alias.ts", `${dir}/real`).paths),
    new Set([`${dir}/real/a.ts`, `${dir}/real/alias.ts`]),
  );
  assertEquals(targetPath("real/new.ts", dir).paths, [`${dir}/real/new.ts`]);
  assertEquals(targetPath(`${dir}/real/../real/a.ts`, "/").paths, [`${dir}/real/a.ts`]);
});

Deno.test("lockKey() is the same for names that mean the same file on a volume that ignores case", async () => {
  const dir = await scratch();
  const mac = { ...HOST, os: "darwin" } as const;
  const [one, two] = ["real/New É.ts", "real/nEW E\u0301.ts"].map((name) => targetPath(name, dir, mac));
  assertEquals([one?.foldsCase, two?.foldsCase], [true, true]);
  assertEquals(lockKey(one?.paths[0] ?? "1", true), lockKey(two?.paths[0] ?? "2", true));
  if (Deno.build.os !== "linux") return;
  assertEquals(targetPath("real/New.ts", dir).foldsCase, false);
  // What such a volume looks like: the name in the other case is the same file.
  await Deno.link(`${dir}/real/a.ts`, `${dir}/real/A.TS`);
  assertEquals(targetPath("real/a.ts", dir).foldsCase, true);
});

Deno.test("readings() covers the forms that harnesses accept for a path", () => {
  const host = { os: "linux", env: (name: string) => name === "HOME" ? "/home/u" : undefined } as const;
  assertEquals(readings("~/a b.ts", host), ["~/a b.ts", "/home/u/a b.ts"]);
  assertEquals(readings("@src/a.ts", host), ["@src/a.ts", "src/a.ts"]);
  assertEquals(readings("file:///home/u/a%20b.ts", host), ["file:///home/u/a%20b.ts", "/home/u/a b.ts"]);
  assertEquals(readings("file://%zz", host).length >= 1, true);
  assertEquals(readings("a.ts", host), ["a.ts"]);
});

Deno.test("withoutDots() and isWithin() work at the root and on Windows", () => {
  assertEquals(withoutDots("/../../a/./b//c/.."), "/a/b");
  assertEquals(withoutDots("C:\\a\\..\\b", { os: "windows", env: () => undefined }), "C:/b");
  assertEquals(isWithin("/a/bc", "/a/b"), false);
  assertEquals(isWithin("/a/b", "/a/b"), true);
  assertEquals(isWithin("/a", "/"), true);
});
