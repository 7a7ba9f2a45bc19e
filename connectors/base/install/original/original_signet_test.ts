import { assertEquals } from "@std/assert";
import { applyEdits } from "../../edit/config.ts";
import type { Edit } from "../../edit/edit.ts";
import { isMap } from "../../edit/json_value.ts";
import { commandWords, isOriginalCommand } from "./original_command.ts";
import { findOriginalEntries, removeOriginalEntries } from "./original_signet.ts";
import { verify } from "../verify.ts";

const YES = [
  'signet hook session-start -H claude-code --project "$(pwd)"',
  "/usr/local/bin/signet hook session-end -H claude-code",
  `"C:\\Program Files\\nodejs\\node.exe" "C:\\npm\\signet.js" hook user-prompt-submit -H codex --project "%CD%"`,
  "signet-mcp",
  "'/opt/my tools/signet-mcp'",
];
const NO = [
  "signet-pyagent hook session-start",
  "signet status",
  "signet hook",
  "signet hook my-own-event",
  "echo signet hook session-start",
  "signetique hook session-start",
  "/opt/signet/bin/other hook session-start",
  "",
];

Deno.test("isOriginalCommand() recognises the original CLI by its program and arguments, not by its name in a string", () => {
  for (const command of YES) assertEquals(isOriginalCommand(commandWords(command)), true, command);
  for (const command of NO) assertEquals(isOriginalCommand(commandWords(command)), false, command);
});

Deno.test("findOriginalEntries() finds entries in the config shape of every harness", () => {
  assertEquals(
    findOriginalEntries(
      "json",
      '{"env": {"NOTE": "signet hook session-start"},\n"hooks": {"Stop": [{"hooks": [{"command": "lint"},\n {"command": "signet hook session-end -H codex"}]}]}}',
    ).map(({ line, path }) => [line, path.join(".")]),
    [[3, "hooks.Stop.0.hooks.1"]],
  );
  assertEquals(
    findOriginalEntries("toml", "[mcp_servers.signet]\ncommand = 'signet-mcp'\n").map(({ path }) => path),
    [["mcp_servers", "signet"]],
  );
  assertEquals(
    findOriginalEntries("jsonc", '{"mcp": {"signet": {"type": "local", "command": ["signet-mcp"]}}}').length,
    1,
  );
  assertEquals(
    findOriginalEntries(
      "yaml",
      "hooks:\n  on_session_start: signet hook session-start -H pyagent\n  other: [lint]\n",
    )
      .map(({ line }) => line),
    [2],
  );
});

Deno.test("removeOriginalEntries() removes those entries and keeps strings that only mention them", () => {
  const before =
    '{"env": {"NOTE": "signet hook session-start"}, "notes": ["signet-mcp"], "hooks": {"Stop": [{"hooks": [{"command": "signet hook session-end"}]}, {"hooks": [{"command": "a"}, {"command": "signet hook session-end"}]}]}, "mcpServers": {"signet": {"command": "signet-mcp", "args": []}, "x": {"command": "y"}}}';
  const edits: Edit[] = [{
    kind: "entry",
    path: ["mcpServers", "signet"],
    value: { command: "OURS" },
    owns: (value) => isMap(value) && value.command === "OURS",
  }];
  const { text } = applyEdits("json", removeOriginalEntries("json", before), edits);
  assertEquals(JSON.parse(text), {
    env: { NOTE: "signet hook session-start" },
    notes: ["signet-mcp"],
    hooks: { Stop: [{ hooks: [{ command: "a" }] }] },
    mcpServers: { x: { command: "y" }, signet: { command: "OURS" } },
  });
  assertEquals(verify("json", before, text, edits, { installed: true, replaceSignetCli: true }), undefined);
});
