import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { chooseEntries, listEntries } from "./entries.ts";

function tree(files: readonly string[]): string {
  const root = Deno.makeTempDirSync();
  for (const file of files) {
    Deno.mkdirSync(`${root}/${file.slice(0, file.lastIndexOf("/"))}`, { recursive: true });
    Deno.writeTextFileSync(`${root}/${file}`, "");
  }
  return root;
}

const FILES = [
  "connectors/base/harness.ts",
  "connectors/claude_code/main.ts",
  "connectors/connect/main.ts",
  "connectors/pi/harness.ts",
  "connectors/codex/main.ts",
  "mock_daemon/main.ts",
];

Deno.test("listEntries() finds every folder with a main.ts, and the mock daemon", () => {
  const found = listEntries(tree(FILES)).map((e) => [e.name, e.binary, e.main, e.kind]);
  assertEquals(found, [
    ["claude-code", "signet-claude-code", "connectors/claude_code/main.ts", "connector"],
    ["codex", "signet-codex", "connectors/codex/main.ts", "connector"],
    ["connect", "signet-connect", "connectors/connect/main.ts", "connect"],
    ["mock-daemon", "signet-mock-daemon", "mock_daemon/main.ts", "daemon"],
  ]);
});

Deno.test("listEntries() finds nothing in a tree without connectors", () => {
  assertEquals(listEntries(tree(["README/x"])), []);
});

Deno.test("chooseEntries() returns all without names, and accepts either form of a name", () => {
  const entries = listEntries(tree(FILES));
  assertEquals(chooseEntries(entries, []).length, entries.length);
  assertEquals(chooseEntries(entries, ["signet-codex", "connect"]).map((e) => e.name), ["codex", "connect"]);
});

Deno.test("chooseEntries() lists the known names for an unknown one", () => {
  const err = assertThrows(() => chooseEntries(listEntries(tree(FILES)), ["claude_code"]), Error);
  assertStringIncludes(err.message, '"claude_code": choose from claude-code, codex, connect, mock-daemon');
});
