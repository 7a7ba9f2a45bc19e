import { assert, assertEquals } from "@std/assert";
import { applyEdits } from "../base/edit/config.ts";
import type { Json } from "../base/edit/edit.ts";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { pyagent } from "./harness.ts";

const CONFIG = "/home/u/.pyagent/config.yaml";

function edits(config = "", flags = {}) {
  const program = "/home/u/.local/bin/signet-pyagent";
  const site = placeholderSite(pyagent, { program, files: config === "" ? {} : { [CONFIG]: config }, flags });
  const [target] = pyagent.targets(site);
  assert(target?.kind === "edit");
  assertEquals([target.path, target.format], [CONFIG, "yaml"]);
  return target.edits;
}

Deno.test("pyagent.targets() uses PyAgent's event names, with timeouts in seconds", () => {
  const hooks = edits().filter(({ kind }) => kind === "item");
  assertEquals(hooks.map(({ path }) => path.join(".")), [
    "hooks.on_session_start",
    "hooks.on_user_message",
    "hooks.on_session_end",
  ]);
  assertEquals(hooks.map(({ value }) => (value as { timeout: number }).timeout), [5, 4, 10]);
});

Deno.test("pyagent.targets() uses the MCP registry that the config has", () => {
  const cases: [string, string][] = [
    ["", "tools.mcp_servers.signet"],
    ["tools:\n  shell: true\n", "tools.mcp_servers.signet"],
    ["mcp_servers:\n  other: {command: x}\n", "mcp_servers.signet"],
    ["mcp:\n  servers: {}\n", "mcp.servers.signet"],
    ["mcp_servers: {}\ntools:\n  mcp_servers: {}\n", "tools.mcp_servers.signet"],
  ];
  for (const [config, path] of cases) {
    assertEquals(edits(config).find(({ kind }) => kind === "entry")?.path.join("."), path, config);
  }
  assertEquals(edits("", { mcp: false }).some(({ kind }) => kind === "entry"), false);
});

Deno.test("pyagent follows the shape that an event has in the user's config", () => {
  const [start] = edits();
  assert(start);
  const command = (start.value as { command: string }).command;
  const quoted = `'${command}'`;
  const cases: [string, string][] = [
    [
      "hooks:\n  on_session_start: ./mine.sh # c\n",
      `hooks:\n  on_session_start:\n    - ./mine.sh # c\n    - ${quoted}\n`,
    ],
    ["hooks:\n  on_session_start: [./mine.sh]\n", `hooks:\n  on_session_start: [./mine.sh, ${quoted}]\n`],
    [
      "hooks:\n  on_session_start:\n    - ./mine.sh\n",
      `hooks:\n  on_session_start:\n    - ./mine.sh\n    - ${quoted}\n`,
    ],
    [
      "hooks:\n  on_session_start:\n    command: ./mine.sh\n    timeout: 2\n",
      // The user's lines keep their columns: YAML allows a list without further indentation.
      `hooks:\n  on_session_start:\n  - command: ./mine.sh\n    timeout: 2\n  - command: ${quoted}\n    timeout: 5\n`,
    ],
    [
      "hooks:\n  on_session_start:\n",
      `hooks:\n  on_session_start:\n    - command: ${quoted}\n      timeout: 5\n`,
    ],
  ];
  for (const [before, after] of cases) assertEquals(applyEdits("yaml", before, [start]).text, after, before);
});

Deno.test("pyagent owns its entries, as a string or as a mapping, and no others", () => {
  const [start] = edits();
  assert(start?.kind === "item");
  const cases: [Json, boolean][] = [
    [start.value, true],
    [start.text ?? null, true],
    ["signet-pyagent hook session-start", true],
    ["signet hook session-start -H pyagent", false],
    [{ command: "./signet-pyagent-notes.sh" }, false],
    [{ cmd: "signet-pyagent hook session-start" }, false],
    [3, false],
  ];
  for (const [item, ours] of cases) assertEquals(start.owns(item), ours, JSON.stringify(item));
});

Deno.test("pyagent.render() prints plain text with one newline, and nothing for an empty text", () => {
  const event = { event: "session-start", cwd: "/" } as const;
  assertEquals(pyagent.render(event, "text"), "text\n");
  assertEquals(pyagent.render(event, ""), "");
});
