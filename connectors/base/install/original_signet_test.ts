import { assertEquals } from "@std/assert";
import { install, signetCliIn } from "../edit/config.ts";
import type { Edit } from "../edit/edit.ts";
import { isMap } from "../edit/json_value.ts";
import { commandWords, isSignetCli } from "./original_signet.ts";
import { verify } from "./verify.ts";

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

Deno.test("isSignetCli() knows the original CLI by its program and words, not by its name in a text", () => {
  for (const command of YES) assertEquals(isSignetCli(commandWords(command)), true, command);
  for (const command of NO) assertEquals(isSignetCli(commandWords(command)), false, command);
});

Deno.test("signetCliIn() finds its entries in every harness's shape", () => {
  assertEquals(
    signetCliIn(
      "json",
      '{"env": {"NOTE": "signet hook session-start"},\n"hooks": {"Stop": [{"hooks": [{"command": "lint"},\n {"command": "signet hook session-end -H codex"}]}]}}',
    ).map(({ line, path }) => [line, path.join(".")]),
    [[3, "hooks.Stop.0.hooks.1"]],
  );
  assertEquals(
    signetCliIn("toml", "[mcp_servers.signet]\ncommand = 'signet-mcp'\n").map(({ path }) => path),
    [["mcp_servers", "signet"]],
  );
  assertEquals(
    signetCliIn("jsonc", '{"mcp": {"signet": {"type": "local", "command": ["signet-mcp"]}}}').length,
    1,
  );
  assertEquals(
    signetCliIn("yaml", "hooks:\n  on_session_start: signet hook session-start -H pyagent\n  other: [lint]\n")
      .map(({ line }) => line),
    [2],
  );
});

Deno.test("install() with replaceSignetCli takes those entries out, and no text that only mentions them", () => {
  const before =
    '{"env": {"NOTE": "signet hook session-start"}, "notes": ["signet-mcp"], "hooks": {"Stop": [{"hooks": [{"command": "signet hook session-end"}]}, {"hooks": [{"command": "a"}, {"command": "signet hook session-end"}]}]}, "mcpServers": {"signet": {"command": "signet-mcp", "args": []}, "x": {"command": "y"}}}';
  const edits: Edit[] = [{
    kind: "entry",
    path: ["mcpServers", "signet"],
    value: { command: "OURS" },
    owns: (value) => isMap(value) && value.command === "OURS",
  }];
  const { text } = install("json", before, edits, { replaceSignetCli: true });
  assertEquals(JSON.parse(text), {
    env: { NOTE: "signet hook session-start" },
    notes: ["signet-mcp"],
    hooks: { Stop: [{ hooks: [{ command: "a" }] }] },
    mcpServers: { x: { command: "y" }, signet: { command: "OURS" } },
  });
  assertEquals(verify("json", before, text, edits, { installed: true, replaceSignetCli: true }), undefined);
});
