import { assertEquals, assertStringIncludes } from "@std/assert";
import { type ListedHook, listHooks, readHooks } from "./app_server.ts";
import { paperSite } from "../base/site/placeholder_site.ts";
import { HANG_MS } from "../base/testing/until.ts";
import { applyEdits } from "../base/edit/config.ts";
import { codex } from "./harness.ts";
import { findings, fromRecords, inspect, signetsOwn } from "./trust.ts";

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
  ["one is switched off", listed((_, i) => i === 3 ? { enabled: false } : {}), [[
    false,
    "switched off in Codex (session-end)",
  ]]],
  ["others' hooks are untrusted", [
    ...listed(() => ({})),
    { command: "echo mine", eventName: "stop", trustStatus: "untrusted", enabled: true },
  ], [[true, "trusts our 4 hooks"]]],
  ["we are there twice", [...listed(() => ({})), ...listed(() => ({}))], [[false, "arrives twice"]]],
  ["we are not there", [], [[false, "does not see our hooks"]]],
];

for (const [title, hooks, expected] of CASES) {
  Deno.test(`findings() where ${title}`, () => {
    const found = findings(hooks);
    assertEquals(found.map(({ ok }) => ok), expected.map(([ok]) => ok));
    for (const [index, [ok, words]] of expected.entries()) {
      assertStringIncludes(found[index]?.message ?? "", words);
      assertEquals(found[index]?.fix === undefined, ok);
    }
  });
}

Deno.test("readHooks() takes the commands out of an answer, and is calm about any other", () => {
  const hook = { key: "k", eventName: "sessionStart", command: "c", trustStatus: "untrusted", enabled: true };
  assertEquals(readHooks({ data: [{ cwd: "/p", hooks: [hook, { handlerType: "mcp_tool" }] }] }), [
    { command: "c", eventName: "sessionStart", trustStatus: "untrusted", enabled: true },
  ]);
  for (const odd of [undefined, null, [], { data: 1 }, { data: [{}] }]) assertEquals(readHooks(odd), []);
});

const PROGRAMS: [string, string, string][] = [
  ["ends at once", "exit 3", "ended"],
  ["speaks no JSON", "echo hello", "could not be understood"],
  ["refuses", `read line; echo '{"id":1,"error":{"message":"too old"}}'; read line`, "too old"],
];

for (const [title, script, words] of PROGRAMS) {
  Deno.test(`listHooks() says why where the program ${title}`, async () => {
    const dir = await Deno.makeTempDir();
    await Deno.writeTextFile(`${dir}/codex`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    assertStringIncludes(String(await listHooks(dir, `${dir}/codex`, HANG_MS)), words);
    await Deno.remove(dir, { recursive: true });
  });
}

Deno.test("listHooks() does not wait for a program that neither answers nor ends", async () => {
  const dir = await Deno.makeTempDir();
  // What a shell ignores, the program that takes its place ignores too.
  await Deno.writeTextFile(`${dir}/codex`, "#!/bin/sh\ntrap '' TERM\nexec sleep 60\n", { mode: 0o755 });
  assertStringIncludes(String(await listHooks(dir, `${dir}/codex`, 100)), "took too long");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("listHooks() says so where there is no Codex", async () => {
  assertEquals(await listHooks(".", "/nonexistent/codex"), "the program 'codex' is not on PATH");
});

Deno.test("signetsOwn() names the original Signet's plugin where it is on", () => {
  const found = (plugins: Record<string, { enabled?: boolean }>) => signetsOwn({ plugins }, "/c.toml").length;
  assertEquals(found({ "signet@signet-local": {} }), 1);
  assertEquals(found({ "signet@signet-local": { enabled: false } }), 0);
  assertEquals(found({ "browser@openai": { enabled: true } }), 0);
  assertEquals(signetsOwn(undefined, "/c.toml"), []);
});

Deno.test("inspect() says that hooks are switched off in Codex, without asking it", async () => {
  const files = { "/home/u/.codex/config.toml": "[features]\nhooks = false\n" };
  const [found] = await inspect(paperSite({ files }));
  assertEquals(found?.ok, false);
  assertStringIncludes(found?.message ?? "", "switched off");
});

Deno.test("fromRecords() believes the config's records where Codex cannot be asked, and no less than all of them", () => {
  const files: Record<string, string> = {};
  for (const target of codex.targets(paperSite({ flags: { trustHooks: true }, program: PROGRAM }))) {
    if (target.kind === "edit") files[target.path] = applyEdits(target.format, undefined, target.edits).text;
  }
  const trusted = fromRecords(paperSite({ files, program: PROGRAM }), "not on PATH");
  assertEquals(trusted.ok, true, trusted.message);
  const untrusted = fromRecords(paperSite({ program: PROGRAM }), "not on PATH");
  assertEquals(untrusted.ok, false);
  assertStringIncludes(untrusted.message, "a record for 0 of our 4 hooks");
  // Another program's path is another command, and so another hash.
  const moved = fromRecords(paperSite({ files, program: "/opt/signet-codex" }), "not on PATH");
  assertEquals(moved.ok, false, moved.message);
});
