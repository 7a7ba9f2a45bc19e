import { assertEquals, assertStringIncludes } from "@std/assert";
import { type ListedHook, listHooks, readHooks } from "./app_server.ts";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { HANG_MS } from "../base/testing/until.ts";
import { applyEdits } from "../base/edit/config.ts";
import { codex } from "./harness.ts";
import { findings, fromRecords, inspect, originalPlugin } from "./trust.ts";
import { writeProgram } from "../base/testing/write_program.ts";

const PROGRAM = "/home/u/.local/bin/signet-codex";

const EVENTS = ["session-start", "user-prompt-submit", "pre-compaction", "session-end"];

function listed(change: (hook: ListedHook, index: number) => Partial<ListedHook>): ListedHook[] {
  return EVENTS.map((event, index) => {
    const hook = {
      command: `"/b/signet-codex" hook ${event}`,
      eventName: event,
      trustStatus: "trusted",
      enabled: true,
    };
    return { ...hook, ...change(hook, index) };
  });
}

const CASES: [string, ListedHook[], [boolean, string][]][] = [
  ["all are trusted", listed(() => ({})), [[true, "trusts our 4 hooks"]]],
  ["none is trusted", listed(() => ({ trustStatus: "untrusted" })), [[
    false,
    "untrusted hooks (session-start, user",
  ]]],
  ["one was modified", listed((_, i) => i === 1 ? { trustStatus: "modified" } : {}), [
    [false, "modified hooks (user-prompt-submit)"],
  ]],
  ["one is disabled", listed((_, i) => i === 3 ? { enabled: false } : {}), [[
    false,
    "disabled in Codex (session-end)",
  ]]],
  ["others' hooks are untrusted", [
    ...listed(() => ({})),
    { command: "echo mine", eventName: "stop", trustStatus: "untrusted", enabled: true },
  ], [[true, "trusts our 4 hooks"]]],
  ["our hooks are installed twice", [...listed(() => ({})), ...listed(() => ({}))], [[
    false,
    "arrives twice",
  ]]],
  ["our hooks are absent", [], [[false, "does not see our hooks"]]],
];

for (const [title, hooks, expected] of CASES) {
  Deno.test(`findings() where ${title}`, () => {
    const results = findings(hooks, 4);
    assertEquals(results.map(({ ok }) => ok), expected.map(([ok]) => ok));
    for (const [index, [ok, words]] of expected.entries()) {
      assertStringIncludes(results[index]?.message ?? "", words);
      assertEquals(results[index]?.fix === undefined, ok);
    }
  });
}

Deno.test("readHooks() takes the commands out of an answer, and ignores any other answer", () => {
  const hook = { key: "k", eventName: "sessionStart", command: "c", trustStatus: "untrusted", enabled: true };
  assertEquals(readHooks({ data: [{ cwd: "/p", hooks: [hook, { handlerType: "mcp_tool" }] }] }), [
    { command: "c", eventName: "sessionStart", trustStatus: "untrusted", enabled: true },
  ]);
  for (const odd of [undefined, null, [], { data: 1 }, { data: [{}] }]) assertEquals(readHooks(odd), []);
});

const PROGRAMS: [string, string, string][] = [
  ["ends at once", "exit 3", "ended"],
  ["prints no JSON", "echo hello", "invalid answer"],
  ["refuses", `read line; echo '{"id":1,"error":{"message":"too old"}}'; read line`, "too old"],
];

for (const [title, script, words] of PROGRAMS) {
  Deno.test(`listHooks() returns the reason where the program ${title}`, async () => {
    const dir = await Deno.makeTempDir();
    await writeProgram(`${dir}/codex`, `#!/bin/sh\n${script}\n`);
    assertStringIncludes(String(await listHooks(dir, `${dir}/codex`, HANG_MS)), words);
    await Deno.remove(dir, { recursive: true });
  });
}

Deno.test("listHooks() does not wait for a program that neither answers nor ends", async () => {
  const dir = await Deno.makeTempDir();
  // What a shell ignores, the program that takes its place ignores too.
  await writeProgram(`${dir}/codex`, "#!/bin/sh\ntrap '' TERM\nexec sleep 60\n");
  assertStringIncludes(String(await listHooks(dir, `${dir}/codex`, 100)), "took too long");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("listHooks() reports that Codex is not on PATH", async () => {
  assertEquals(await listHooks(".", "/nonexistent/codex"), "the program 'codex' is not on PATH");
});

Deno.test("originalPlugin() reports the original Signet's plugin where it is on", () => {
  const found = (plugins: Record<string, { enabled?: boolean }>) =>
    originalPlugin({ plugins }, "/c.toml").length;
  assertEquals(found({ "signet@signet-local": {} }), 1);
  assertEquals(found({ "signet@signet-local": { enabled: false } }), 0);
  assertEquals(found({ "browser@openai": { enabled: true } }), 0);
  assertEquals(originalPlugin(undefined, "/c.toml"), []);
});

Deno.test("inspect() reports disabled hooks without asking Codex", async () => {
  const files = { "/home/u/.codex/config.toml": "[features]\nhooks = false\n" };
  const [finding] = await inspect(placeholderSite(codex, { files }));
  assertEquals(finding?.ok, false);
  assertStringIncludes(finding?.message ?? "", "disabled");
});

Deno.test("fromRecords() passes only if the config has every trust record", () => {
  const files: Record<string, string> = {};
  for (
    const target of codex.targets(placeholderSite(codex, { flags: { trustHooks: true }, program: PROGRAM }))
  ) {
    if (target.kind === "edit") files[target.path] = applyEdits(target.format, undefined, target.edits).text;
  }
  const trusted = fromRecords(placeholderSite(codex, { files, program: PROGRAM }), "not on PATH");
  assertEquals(trusted.ok, true, trusted.message);
  const untrusted = fromRecords(placeholderSite(codex, { program: PROGRAM }), "not on PATH");
  assertEquals(untrusted.ok, false);
  assertStringIncludes(untrusted.message, "a trust record for 0 of our 4 hooks");
  // Another program's path is another command, and so another hash.
  const moved = fromRecords(placeholderSite(codex, { files, program: "/opt/signet-codex" }), "not on PATH");
  assertEquals(moved.ok, false, moved.message);
});
