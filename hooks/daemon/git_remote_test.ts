import { assertEquals } from "@std/assert";
import { remoteOf, withoutCredentials } from "./git_remote.ts";

Deno.test("remoteOf() takes origin, else the first, however the config is written", () => {
  const cases: [string, string | undefined][] = [
    ['[remote "up"]\nurl = https://a/1\n[remote "origin"]\nurl=https://a/2', "https://a/2"],
    ['[remote "up"]\n\turl = https://a/1\n\tfetch = +x', "https://a/1"],
    ['[Remote "origin"]\r\n\tURL = "https://a/b c"\r\n', "https://a/b c"],
    ['[remote "origin"] url = https://a/3', "https://a/3"],
    ['[remote "origin"]\n\turl = https://a/4 # mine', "https://a/4"],
    ['[submodule "x"]\n\turl = https://a/5', undefined],
    ['[remote "origin"]\n\tpushurl = https://a/6', undefined],
    ['[remote "origin"\n\turl = https://a/7', undefined],
    ['[remote "or\\"igin"]\n\turl = https://a/8', "https://a/8"],
    [`[remote "origin"]\n\turl = https://a/${"9".repeat(5000)}`, undefined],
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
    ["/srv/c#/p.git", "/srv/c#/p.git"],
    ["C:\\p", "C:\\p"],
    // Forms that git accepts and a URL parser does not.
    ["transport::https://u:p@h/x", "transport::https://h/x"],
    ["a::b::https://u:p@[::1]:8/x?token=t", "a::b::https://[::1]:8/x"],
    ["codecommit::eu::u:p@h", "codecommit::eu::u@h"],
    ["ext::sh -c 'curl https://u:p@h'", "ext::"],
    ["//u:p@h/x", "//h/x"],
    ["//u@h/x?token=t", "//h/x"],
    ["git@h:x?token=t", "git@h:x"],
    ["h:x#token=t", "h:x"],
    ["HTTPS://U:P@h/x", "HTTPS://h/x"],
    ["https://u:p/w@h/x", "https://h/x"],
    ["https://u:p?w@h/x", "https://h/x"],
    ["https://u:p#w@h/x", "https://h/x"],
    ["https://h:8443/x@v1", "https://h:8443/x@v1"],
    ["ssh://u:p/w@h/x", "ssh://u@h/x"],
    ["git+ssh://u:p@[::1]/x", "git+ssh://u@[::1]/x"],
    ["git@[::1]:x", "git@[::1]:x"],
    ["file:///srv/p", "file:///srv/p"],
  ];
  for (const [remote, expected] of cases) assertEquals(withoutCredentials(remote), expected);
});
