import { assertEquals } from "@std/assert";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { codex } from "./harness.ts";
import { snakeCase, trustedHash } from "./trust_record.ts";

// Each hash was read from `hooks/list` of codex app-server 0.166.0.
const SEEN: [string, string, Parameters<typeof trustedHash>[1], string][] = [
  ["a plain handler", "SessionStart", {
    type: "command",
    command: '"/h/.local/bin/signet-codex" hook session-start',
    timeout: 10,
  }, "31ee3e9c6621ccab37bd5f3056ac9cab1f8036494afeaeac3817e3624397d32e"],
  ["a limit, a status message and a command for Windows", "UserPromptSubmit", {
    type: "command",
    command: '"/h/.local/bin/signet-codex" hook user-prompt-submit',
    timeout: 5,
    commandWindows: '"C:\\x" hook',
    additionalContextLimit: 0,
    statusMessage: "é…<x>",
  }, "88adbe76be7e6fadf72ce529aaa230a667e5853e7789563e979aa92c476f5171"],
  [
    "a timeout of three seconds",
    "SessionEnd",
    { type: "command", command: "x", timeout: 3 },
    "b1aa6329f3a5daf36ae487200db1136f90a884bb805ddb24a6326c98dd6f29f6",
  ],
];

for (const [title, native, handler, hash] of SEEN) {
  Deno.test(`trustedHash() is the one that Codex shows, for ${title}`, () => {
    assertEquals(trustedHash(native, handler), `sha256:${hash}`);
  });
}

Deno.test("snakeCase() spells events as trust records do", () => {
  assertEquals(["SessionStart", "UserPromptSubmit", "PreCompact"].map(snakeCase), [
    "session_start",
    "user_prompt_submit",
    "pre_compact",
  ]);
});

const HOOKS = "/home/u/.codex/hooks.json";
const group = (...commands: string[]) => ({
  hooks: commands.map((command) => ({ type: "command", command })),
});
const OURS = '"/home/u/.local/bin/signet-codex" hook session-start';

const POSITIONS: [string, Record<string, string>, string][] = [
  ["there is no file", {}, "0:0"],
  ["other hooks come first", {
    [HOOKS]: JSON.stringify({ hooks: { SessionStart: [group("a"), group("b", "c")] } }),
  }, "2:0"],
  ["our hook is installed", {
    [HOOKS]: JSON.stringify({ hooks: { SessionStart: [group("a"), group(OURS), group("b")] } }),
  }, "1:0"],
  ["our hook is in a user's group", {
    [HOOKS]: JSON.stringify({ hooks: { SessionStart: [group("a", OURS)] } }),
  }, "0:1"],
];

for (const [title, files, position] of POSITIONS) {
  Deno.test(`trustRecords() uses the position of our hook where ${title}`, () => {
    const site = placeholderSite(codex, {
      files,
      program: "/home/u/.local/bin/signet-codex",
      flags: { trustHooks: true, mcp: false },
    });
    const config = codex.targets(site).find((target) => target.path.endsWith("config.toml"));
    const record = config?.kind === "edit" ? config.edits[0] : undefined;
    assertEquals(record?.path, ["hooks", "state", `${HOOKS}:session_start:${position}`]);
  });
}

Deno.test("trustRecords() are written only with --trust-hooks", () => {
  const keys = (trustHooks: boolean) =>
    codex.targets(placeholderSite(codex, { flags: { trustHooks } })).flatMap((target) =>
      target.kind === "edit" ? target.edits.map((edit) => edit.path[0]) : []
    );
  assertEquals(keys(false).filter((key) => key === "hooks").length, 4);
  assertEquals(keys(true).filter((key) => key === "hooks").length, 8);
});
