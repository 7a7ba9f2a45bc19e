import { assert, assertEquals } from "@std/assert";
import type { EventName, HookEvent } from "../../hooks/event.ts";
import type { Edit } from "../base/edit/edit.ts";
import { type PlaceholderOptions, placeholderSite } from "../base/site/placeholder_site.ts";
import { codex } from "./harness.ts";

const PROGRAM = "/home/u/my bin/signet-codex";
const HOOKS = "/home/u/.codex/hooks.json";
const CONFIG = "/home/u/.codex/config.toml";

function edits(options: PlaceholderOptions = {}): Record<string, readonly Edit[]> {
  const targets = codex.targets(placeholderSite(codex, { program: PROGRAM, ...options }));
  return Object.fromEntries(
    targets.map((target) => [target.path, target.kind === "edit" ? target.edits : []]),
  );
}

// A changed byte here revokes the trust of every existing install: add cases, do not edit them.
Deno.test("codex.targets() writes the definition that users have trusted", () => {
  const written = Object.fromEntries(
    (edits()[HOOKS] ?? []).map((edit) => [edit.path.join("."), JSON.stringify(edit.value)]),
  );
  assertEquals(written, {
    "hooks.SessionStart":
      '{"hooks":[{"type":"command","command":"\\"/home/u/my bin/signet-codex\\" hook session-start","timeout":8,"additionalContextLimit":0}]}',
    "hooks.UserPromptSubmit":
      '{"hooks":[{"type":"command","command":"\\"/home/u/my bin/signet-codex\\" hook user-prompt-submit","timeout":5,"additionalContextLimit":0}]}',
    "hooks.PreCompact":
      '{"hooks":[{"type":"command","command":"\\"/home/u/my bin/signet-codex\\" hook pre-compaction","timeout":5}]}',
    "hooks.SessionEnd":
      '{"hooks":[{"type":"command","command":"\\"/home/u/my bin/signet-codex\\" hook session-end","timeout":3}]}',
  });
});

const BY_VERSION: [string, string[], boolean][] = [
  ["0.128.0", ["SessionStart", "UserPromptSubmit", "Stop"], false],
  ["0.140.0", ["SessionStart", "UserPromptSubmit", "PreCompact", "Stop"], false],
  ["0.150.1", ["SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"], true],
  ["unknown", ["SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"], true],
];
for (const [version, events, limited] of BY_VERSION) {
  Deno.test(`codex.targets() writes the events and keys that version ${version} knows`, () => {
    const hooks = edits({ version })[HOOKS] ?? [];
    assertEquals(hooks.map(({ path }) => path.at(-1)), events);
    assertEquals(JSON.stringify(hooks[0]?.value).includes("additionalContextLimit"), limited);
  });
}

Deno.test("codex.targets() saves the conversation after each turn where there is no SessionEnd", () => {
  const stop = edits({ version: "0.140.0" })[HOOKS]?.at(-1);
  assertEquals(stop?.value, {
    hooks: [{ type: "command", command: `"${PROGRAM}" hook checkpoint`, timeout: 5 }],
  });
});

Deno.test("codex.targets() adds commandWindows on Windows", () => {
  const program = "C:\\Users\\u u\\signet-codex.exe";
  const [edit] = Object.values(edits({ os: "windows", program }))[0] ?? [];
  const command = `"${program}" hook session-start`;
  assertEquals(edit?.value, {
    hooks: [{ type: "command", command, commandWindows: command, timeout: 8, additionalContextLimit: 0 }],
  });
  assert(edit?.kind === "item" && edit.owns({ command }));
});

Deno.test("codex.targets() writes what the MCP server needs into the config, and never a key", () => {
  const env = { XDG_STATE_HOME: "/s", SIGNET_API_KEY: "sig_sk_1", SIGNET_AGENT_ID: "u/a", PATH: "/bin" };
  const [server] = edits({ env })[CONFIG] ?? [];
  assertEquals([server?.path, server?.value], [["mcp_servers", "signet"], {
    command: PROGRAM,
    args: ["mcp"],
    env: { XDG_STATE_HOME: "/s" },
    env_vars: [
      "SIGNET_DAEMON_URL",
      "SIGNET_API_KEY",
      "SIGNET_TOKEN",
      "SIGNET_AGENT_ID",
      "SIGNET_CONNECTOR_MODE",
    ],
  }]);
  assertEquals(Object.keys(edits({ flags: { mcp: false } })), [HOOKS]);
});

Deno.test("codex follows CODEX_HOME with every file", () => {
  const site = placeholderSite(codex, { env: { CODEX_HOME: "/elsewhere" }, workspace: "/w" });
  assertEquals(codex.targets(site).map((target) => target.path), [
    "/elsewhere/hooks.json",
    "/elsewhere/config.toml",
  ]);
  assertEquals(codex.identity(site)?.path, "/elsewhere/AGENTS.md");
  assertEquals(codex.skillsDir(site), "/elsewhere/skills");
});

const event = (name: EventName): HookEvent => ({ event: name, cwd: "/home/u/proj" });

Deno.test("codex.render() prints the two keys that Codex accepts, or nothing", () => {
  for (const text of ["[memory active]", "{}", "plain"]) {
    assertEquals(JSON.parse(codex.render(event("session-start"), text)), {
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text },
    });
  }
  for (const name of ["pre-compaction", "compaction-complete", "session-end"] as const) {
    assertEquals(codex.render(event(name), "text"), "");
  }
  assertEquals(codex.render(event("user-prompt-submit"), ""), "");
});

Deno.test("codex.identity() is AGENTS.override.md if it exists, else AGENTS.md", () => {
  const override = "/home/u/.codex/AGENTS.override.md";
  assertEquals(codex.identity(placeholderSite(codex))?.path, "/home/u/.codex/AGENTS.md");
  assertEquals(codex.identity(placeholderSite(codex, { files: { [override]: "mine" } }))?.path, override);
});

Deno.test("codex.notes() explains how to trust the hooks, unless the trust is written", () => {
  assertEquals(codex.notes(placeholderSite(codex)).some((note) => note.includes("/hooks")), true);
  assertEquals(
    codex.notes(placeholderSite(codex, { flags: { trustHooks: true } })).some((note) =>
      note.includes("/hooks")
    ),
    false,
  );
});
