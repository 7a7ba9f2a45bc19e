import { assert, assertEquals } from "@std/assert";
import type { EventName, HookEvent } from "../../hooks/event.ts";
import { applyEdits } from "../base/edit/config.ts";
import type { Edit } from "../base/edit/edit.ts";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { claudeCode } from "./harness.ts";

const PROGRAM = "/home/u/my bin/signet-claude-code";

function edits(site = placeholderSite(claudeCode, { program: PROGRAM })): Record<string, readonly Edit[]> {
  return Object.fromEntries(
    claudeCode.targets(site).map((target) => [target.path, target.kind === "edit" ? target.edits : []]),
  );
}

Deno.test("claudeCode.targets() appends one group per event as a quoted shell command, with seconds", () => {
  const hooks = edits()["/home/u/.claude/settings.json"] ?? [];
  const written = Object.fromEntries(hooks.map((edit) => [edit.path.join("."), edit.value]));
  const group = (event: string, timeout: number) => ({
    hooks: [{ type: "command", command: `exec "${PROGRAM}" hook ${event}`, timeout }],
  });
  assertEquals(written, {
    "hooks.SessionStart": group("session-start", 8),
    "hooks.UserPromptSubmit": group("user-prompt-submit", 5),
    "hooks.PreCompact": group("pre-compaction", 5),
    "hooks.PostCompact": group("compaction-complete", 5),
    "hooks.SessionEnd": group("session-end", 10),
  });
});

// Below 2.1.76 this key makes Claude Code ignore settings.json, with the user's deny rules.
for (const [version, expected] of [["2.1.75", false], ["2.1.76", true], ["unknown", false]] as const) {
  Deno.test(`claudeCode.targets() ${expected ? "writes" : "omits"} PostCompact for version ${version}`, () => {
    const hooks = edits(placeholderSite(claudeCode, { version }))["/home/u/.claude/settings.json"] ?? [];
    assertEquals(hooks.some(({ path }) => path.at(-1) === "PostCompact"), expected);
    assertEquals(hooks.some(({ path }) => path.at(-1) === "SessionEnd"), true);
  });
}

Deno.test("claudeCode.targets() keeps args on Windows, where the shell is not known", () => {
  const program = "C:\\Users\\u u\\signet-claude-code.exe";
  const [first] = Object.values(edits(placeholderSite(claudeCode, { os: "windows", program })))[0] ?? [];
  assertEquals(first?.value, {
    hooks: [{ type: "command", command: program, args: ["hook", "session-start"], timeout: 8 }],
  });
});

const EARLIER: [string, { command: string; args?: string[] }][] = [
  ["has args", { command: PROGRAM, args: ["hook", "session-start"] }],
  ["leaves the shell in place", { command: `"${PROGRAM}" hook session-start` }],
];

for (const [title, call] of EARLIER) {
  Deno.test(`claudeCode.targets() replaces an installed entry that ${title}, and keeps the user's keys`, () => {
    const handler = { type: "command", ...call, timeout: 8 };
    const before = JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ ...handler, note: "mine" }] }] } });
    const hooks = edits()["/home/u/.claude/settings.json"] ?? [];
    const first = hooks.filter((edit) => edit.path.at(-1) === "SessionStart");
    const value = { hooks: [handler] };
    // With a record of the earlier install and without.
    for (const previous of [() => value, () => undefined]) {
      const { text } = applyEdits("json", before, first, { previous });
      assertEquals(JSON.parse(text).hooks.SessionStart, [{
        hooks: [{
          type: "command",
          command: `exec "${PROGRAM}" hook session-start`,
          timeout: 8,
          note: "mine",
        }],
      }]);
      assertEquals(applyEdits("json", text, first, { previous }).changed, false);
    }
  });
}

Deno.test("claudeCode.targets() registers the MCP server in .claude.json, and nowhere with --no-mcp", () => {
  assertEquals(edits()["/home/u/.claude.json"]?.map((edit) => [edit.path, edit.value]), [
    [["mcpServers", "signet"], { type: "stdio", command: PROGRAM, args: ["mcp"], env: {} }],
  ]);
  assertEquals(Object.keys(edits(placeholderSite(claudeCode, { flags: { mcp: false } }))), [
    "/home/u/.claude/settings.json",
  ]);
});

Deno.test("claudeCode follows CLAUDE_CONFIG_DIR with every file", () => {
  const site = placeholderSite(claudeCode, { env: { CLAUDE_CONFIG_DIR: "/elsewhere" } });
  assertEquals(Object.keys(edits(site)), ["/elsewhere/settings.json", "/elsewhere/.claude.json"]);
  assertEquals(claudeCode.identity(site)?.path, "/elsewhere/CLAUDE.md");
  assertEquals(claudeCode.skillsDir(site), "/elsewhere/skills");
});

const HANDLERS: [string, Record<string, string | string[]>, boolean][] = [
  ["our exec form", { command: PROGRAM, args: ["hook", "session-start"] }, true],
  ["our hook at an older path", { command: "/opt/signet-claude-code", args: ["hook", "session-end"] }, true],
  ["our hook as one shell command", { command: '"/opt/signet-claude-code" hook session-end' }, true],
  ["signet-connect for this harness", {
    command: "/b/signet-connect",
    args: ["hook", "session-start", "-H", "claude-code"],
  }, true],
  ["signet-connect for another harness", {
    command: "/b/signet-connect",
    args: ["hook", "session-start", "-H", "codex"],
  }, false],
  ["the original Signet CLI", { command: "signet hook session-start -H claude-code" }, false],
  ["a hook that mentions our program", { command: "echo signet-claude-code hook session-start" }, false],
  ["a command that chains our hook", { command: "signet-claude-code hook session-start && rm x" }, false],
  ["another program with our arguments", { command: "/bin/other", args: ["hook", "session-start"] }, false],
];

for (const [title, handler, expected] of HANDLERS) {
  Deno.test(`claudeCode ${expected ? "owns" : "does not own"} ${title}`, () => {
    const [edit] = edits()["/home/u/.claude/settings.json"] ?? [];
    assert(edit?.kind === "item");
    assertEquals(edit.owns({ type: "command", ...handler }), expected);
  });
}

const event = (name: EventName, nativeName?: string): HookEvent => ({
  event: name,
  cwd: "/home/u/proj",
  nativeName,
});
const context = (hookEventName: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext: "[text]" },
});

Deno.test("claudeCode.render() answers with context, repeating the event's name", () => {
  const printed = (name: EventName, native?: string) =>
    JSON.parse(claudeCode.render(event(name, native), "[text]"));
  assertEquals(printed("session-start", "SessionStart"), context("SessionStart"));
  assertEquals(printed("session-start"), context("SessionStart"));
  assertEquals(printed("user-prompt-submit", "UserPromptSubmit"), context("UserPromptSubmit"));
});

Deno.test("claudeCode.render() prints plain text for the compaction prompt, and nothing for other events", () => {
  assertEquals(claudeCode.render(event("pre-compaction"), "Keep names."), "Keep names.");
  for (const name of ["compaction-complete", "session-end"] as const) {
    assertEquals(claudeCode.render(event(name), "text"), "");
  }
  assertEquals(claudeCode.render(event("session-start"), ""), "");
});

Deno.test("claudeCode.render() gives the compaction prompt no text that Claude Code would read as JSON", () => {
  for (const text of ['{"decision":"block","reason":"x"}', ' {"continue":false}', "[1]"]) {
    const printed = claudeCode.render(event("pre-compaction"), text);
    assertEquals(/^\s*[{[]/.test(printed), false, printed);
    assert(printed.endsWith(text));
  }
});

const CALLERS: [string, Record<string, unknown>, boolean][] = [
  ["Claude Code", { transcript_path: "/home/u/.claude/projects/-home-u-proj/950ffdfc.jsonl" }, false],
  ["Claude Code on Windows", { transcript_path: "C:\\Users\\u\\.claude\\projects\\p\\9.jsonl" }, false],
  ["Claude Code with another directory", { transcript_path: "/elsewhere/projects/p/9.jsonl" }, false],
  ["doctor", { session_id: "test-doctor-1" }, false],
  ["Cursor", { conversation_id: "c", generation_id: "g", cursor_version: "2.4.0" }, true],
  ["Cursor with a transcript", {
    workspace_roots: ["/home/u/proj"],
    transcript_path: "/home/u/.cursor/projects/p/t.jsonl",
  }, true],
  ["Continue", { session_id: "s", transcript_path: "/home/u/.continue/sessions/s.json" }, true],
];
for (const [caller, input, expected] of CALLERS) {
  Deno.test(`claudeCode.isForeign() is ${expected} for ${caller}`, () => {
    assertEquals(claudeCode.isForeign?.(input), expected);
  });
}

const CLAUDE_MD = "/home/u/.claude/CLAUDE.md";
const IDENTITY: [string, Record<string, string>, string][] = [
  ["there is no CLAUDE.md", {}, CLAUDE_MD],
  ["CLAUDE.md is a generated one", {
    [CLAUDE_MD]:
      "# Auto-generated from /home/u/.agents/AGENTS.md\n# Source: x\n# Generated: x\n# DO NOT EDIT - x\n",
  }, CLAUDE_MD],
  ["CLAUDE.md is the user's", { [CLAUDE_MD]: "# Mine\n" }, "/home/u/.claude/rules/signet.md"],
  [
    "the user's CLAUDE.md mentions Signet",
    { [CLAUDE_MD]: "Signet is good.\n" },
    "/home/u/.claude/rules/signet.md",
  ],
];

for (const [title, files, path] of IDENTITY) {
  Deno.test(`claudeCode.identity() is ${path.split("/").at(-1)} where ${title}`, () => {
    assertEquals(claudeCode.identity(placeholderSite(claudeCode, { files })), { path, rule: "own" });
  });
}

Deno.test("Claude Code goes on with the text alone from 2.1.325 on, and by a decision before", () => {
  const { goOn } = claudeCode.agents ?? {};
  const form = (agent?: string) => typeof goOn === "function" ? goOn(() => agent) : goOn;
  for (
    const agent of ["claude-code_2-1-325_harness", "claude-code_2-2-0_agent", "claude-code_3-0-0_harness"]
  ) {
    assertEquals(form(agent), "context", agent);
  }
  for (
    const agent of [
      "claude-code_2-1-148_harness",
      "claude-code_2-1-99_x",
      "codex_9-9-9_harness",
      "",
      undefined,
    ]
  ) {
    assertEquals(form(agent), "block", agent);
  }
});
