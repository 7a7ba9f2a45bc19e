import { assertEquals } from "@std/assert";
import { isOnPath } from "../../connectors/base/testing/on_path.ts";
import { gitFacts, type GitFiles } from "./git.ts";

/** A file system as a table: text is a file, null a directory. */
function disk(files: Record<string, string | null>): GitFiles {
  return {
    read: (path) => Promise.resolve(files[path] ?? undefined),
    kind: (path) => !(path in files) ? undefined : files[path] === null ? "directory" : "file",
  };
}

const CONFIG = '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@example.com:me/proj.git\n';

const CASES: [string, string, Record<string, string | null>, unknown][] = [
  ["a repository", "/p", { "/p/.git": null, "/p/.git/config": CONFIG }, {
    root: "/p",
    remote: "git@example.com:me/proj.git",
  }],
  ["a directory deep in one", "/p/a/b/c", { "/p/.git": null, "/p/.git/config": CONFIG }, {
    root: "/p",
    remote: "git@example.com:me/proj.git",
  }],
  ["no remote", "/p", { "/p/.git": null, "/p/.git/config": "[core]\n" }, { root: "/p", remote: undefined }],
  ["no config", "/p", { "/p/.git": null }, { root: "/p", remote: undefined }],
  ["no repository", "/p/q", {}, undefined],
  [
    "a linked worktree",
    "/w",
    {
      "/w/.git": "gitdir: /p/.git/worktrees/w\n",
      "/p/.git/worktrees/w/commondir": "../..\n",
      "/p/.git/config": CONFIG,
    },
    { root: "/w", remote: "git@example.com:me/proj.git" },
  ],
  [
    "a submodule",
    "/p/sub",
    {
      "/p/.git": null,
      "/p/.git/config": CONFIG,
      "/p/sub/.git": "gitdir: ../.git/modules/sub\n",
      "/p/.git/modules/sub/config": '[remote "origin"]\n\turl = https://example.com/sub\n',
    },
    { root: "/p/sub", remote: "https://example.com/sub" },
  ],
  ["a .git file that says nothing", "/p", { "/p/.git": "?" }, { root: "/p" }],
  [
    "a bare repository",
    "/b.git",
    { "/b.git/HEAD": "ref: x", "/b.git/objects": null, "/b.git/refs": null, "/b.git/config": CONFIG },
    { root: "/b.git", remote: "git@example.com:me/proj.git" },
  ],
  ["a relative directory", "p", { "p/.git": null }, { root: "p", remote: undefined }],
  ["the root directory", "/", { "/.git": null }, { root: "/", remote: undefined }],
];

for (const [name, cwd, files, expected] of CASES) {
  Deno.test(`gitFacts() of ${name}`, async () =>
    assertEquals<unknown>(await gitFacts(cwd, disk(files)), expected));
}

/** Places in a repository where something else than a regular file hung every hook. */
const ODD_PLACES: [string, string, { files?: Record<string, string>; dirs?: string[] }, string][] = [
  [".git/config", ".git/config", { dirs: [".git"] }, "the repository without its remote"],
  [".git", ".git", {}, "nothing"],
  ["a worktree's commondir", "main/commondir", {
    files: { ".git": "gitdir: main\n", "main/config": CONFIG },
  }, "the repository and its remote"],
  [
    "the target of gitdir:",
    "elsewhere",
    { files: { ".git": "gitdir: elsewhere\n" } },
    "the repository alone",
  ],
  ["the config of gitdir:'s target", "main/config", {
    files: { ".git": "gitdir: main\n" },
    dirs: ["main"],
  }, "the repository alone"],
  ["a bare repository's HEAD", "HEAD", { files: { config: CONFIG }, dirs: ["objects", "refs"] }, "nothing"],
  ["a bare repository's config", "config", {
    files: { HEAD: "ref: x" },
    dirs: ["objects", "refs"],
  }, "the repository alone"],
];

const EXPECTED: Record<string, (root: string) => unknown> = {
  "nothing": () => undefined,
  "the repository alone": (root) => ({ root, remote: undefined }),
  "the repository without its remote": (root) => ({ root, remote: undefined }),
  "the repository and its remote": (root) => ({ root, remote: "git@example.com:me/proj.git" }),
};

for (const [title, odd, { files = {}, dirs = [] }, expected] of ODD_PLACES) {
  for (const kind of ["FIFO", "device", "directory"] as const) {
    // A directory named .git is a repository.
    if (odd === ".git" && kind === "directory") continue;
    Deno.test({
      name: `gitFacts() does not read a ${kind} at ${title}`,
      ignore: Deno.build.os === "windows" || !isOnPath("mkfifo"),
      async fn() {
        const root = await Deno.makeTempDir();
        try {
          for (const dir of dirs) await Deno.mkdir(`${root}/${dir}`, { recursive: true });
          for (const [path, text] of Object.entries(files)) {
            await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
            await Deno.writeTextFile(`${root}/${path}`, text);
          }
          await place(kind, `${root}/${odd}`);
          assertEquals(await gitFacts(root), EXPECTED[expected]?.(root));
        } finally {
          await Deno.remove(root, { recursive: true });
        }
      },
    });
  }
}

async function place(kind: "FIFO" | "device" | "directory", path: string): Promise<void> {
  if (kind === "directory") await Deno.mkdir(path);
  else if (kind === "device") await Deno.symlink("/dev/zero", path);
  else assertEquals((await new Deno.Command("mkfifo", { args: [path] }).output()).success, true);
}

Deno.test("gitFacts() of a path that is no path looks nowhere", async () => {
  let looks = 0;
  const files: GitFiles = {
    read: () => Promise.resolve(undefined),
    kind: () => {
      looks++;
      return undefined;
    },
  };
  for (const cwd of ["/a".repeat(500_000), "/".repeat(1_000_000), "a".repeat(1_000_000)]) {
    assertEquals(await gitFacts(cwd, files), undefined);
  }
  assertEquals(looks, 0);
});
