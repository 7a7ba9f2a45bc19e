import { assertEquals } from "@std/assert";
import { repositoryPath } from "./repository_path.ts";
import { plainRemote, sharedPath } from "./shared_path.ts";

Deno.test("plainRemote() gives one name to one repository", () => {
  const same = [
    "git@example.com:team/app.git",
    "ssh://git@example.com/team/app.git",
    "ssh://git@example.com:22/team/app",
    "https://example.com/team/app",
    "https://user@Example.com/team/app.git/",
    "git://example.com/team/app",
  ];
  for (const remote of same) assertEquals(plainRemote(remote), "example.com/team/app", remote);
  assertEquals(plainRemote("/srv/git/app.git"), "/srv/git/app");
  assertEquals(plainRemote("../app.git"), "../app");
});

Deno.test("repositoryPath() is the same in two clones, and differs between files", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const config = '[remote "origin"]\n\turl = git@example.com:team/app.git\n';
  for (const clone of ["one", "two"]) {
    await Deno.mkdir(`${root}/${clone}/.git`, { recursive: true });
    await Deno.mkdir(`${root}/${clone}/src`);
    await Deno.writeTextFile(`${root}/${clone}/.git/config`, config);
  }
  await Deno.mkdir(`${root}/alone`);
  const paths = await Promise.all(
    ["one/src/a.ts", "two/src/a.ts", "two/src/b.ts", "two", "alone/a.ts"].map((path) =>
      repositoryPath(`${root}/${path}`)
    ),
  );
  const [one, two, other, top, alone] = paths;
  assertEquals(one, { remote: "example.com/team/app", path: "src/a.ts" });
  assertEquals(two, one);
  assertEquals([other?.path, top?.path, alone], ["src/b.ts", "", undefined]);
  assertEquals(one && sharedPath(one), "/-signet-shared-/example.com%2Fteam%2Fapp/src/a.ts");
});
