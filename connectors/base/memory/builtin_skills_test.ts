import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parse } from "@std/yaml";
import { record } from "./daemon.ts";
import { builtinSkills } from "./builtin_skills.ts";

Deno.test("builtinSkills() returns folders with valid front matter", () => {
  const skills = builtinSkills("signet-pyagent");
  assertEquals(Object.keys(skills), ["signet-remember", "signet-recall"]);
  for (const [name, files] of Object.entries(skills)) {
    const text = files["SKILL.md"] ?? "";
    const [, front, body] = text.match(/^---\n([\s\S]*?)\n---\n([\s\S]*)$/) ?? [];
    const meta = record(parse(front ?? ""));
    assertEquals(meta?.name, name);
    // Claude Code truncates longer descriptions.
    assert(typeof meta?.description === "string" && meta.description.length < 1024);
    assertStringIncludes(body ?? "", `signet-pyagent ${name.replace("signet-", "")}`);
    assert(!text.includes("{{"));
  }
});

Deno.test("builtinSkills() inserts a command with special characters unchanged", () => {
  const text = builtinSkills(`"/home/u/my $& bin/signet-pi"`)["signet-recall"]?.["SKILL.md"] ?? "";
  assertMatch(text, /"\/home\/u\/my \$& bin\/signet-pi" recall/);
});

Deno.test("builtinSkills() leaves out skills that the workspace already has", () => {
  assertEquals(Object.keys(builtinSkills("b", ["recall", "other"])), ["signet-remember"]);
  assertEquals(Object.keys(builtinSkills("b", ["signet-remember", "signet-recall"])), []);
});
