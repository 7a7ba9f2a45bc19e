import { assertEquals } from "@std/assert";
import { gitFacts, type GitFiles, remoteOf, withoutCredentials } from "./git.ts";

/** A file system as a table: text is a file, null a directory. */
function disk(files: Record<string, string | null>): GitFiles {
  return {
    read: (path) => files[path] ?? undefined,
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
  Deno.test(`gitFacts() of ${name}`, () => assertEquals<unknown>(gitFacts(cwd, disk(files)), expected));
}

Deno.test("remoteOf() takes origin, else the first, however the config is written", () => {
  const cases: [string, string | undefined][] = [
    ['[remote "up"]\nurl = https://a/1\n[remote "origin"]\nurl=https://a/2', "https://a/2"],
    ['[remote "up"]\n\turl = https://a/1\n\tfetch = +x', "https://a/1"],
    ['[Remote "origin"]\r\n\tURL = "https://a/b c"\r\n', "https://a/b c"],
    ['[remote "origin"] url = https://a/3', "https://a/3"],
    ['[remote "origin"]\n\turl = https://a/4 # mine', "https://a/4"],
    ['[submodule "x"]\n\turl = https://a/5', undefined],
    ['[remote "origin"]\n\tpushurl = https://a/6', undefined],
    ["", undefined],
  ];
  for (const [config, expected] of cases) assertEquals(remoteOf(config), expected, config);
});

Deno.test("withoutCredentials() keeps the place and drops the secret", () => {
  const cases: [string, string][] = [
    ["https://me:ghp_secret@github.com/me/p.git", "https://github.com/me/p.git"],
    ["https://ghp_secret@github.com/me/p.git", "https://github.com/me/p.git"],
    ["https://a@b:c@github.com/p", "https://github.com/p"],
    ["https://github.com/p?private_token=x#y", "https://github.com/p"],
    ["ssh://git:pw@host:22/p", "ssh://git@host:22/p"],
    ["git@github.com:me/p.git", "git@github.com:me/p.git"],
    ["me:pw@host:p", "me@host:p"],
    ["/srv/git/p.git", "/srv/git/p.git"],
    ["../p", "../p"],
  ];
  for (const [remote, expected] of cases) assertEquals(withoutCredentials(remote), expected);
});
