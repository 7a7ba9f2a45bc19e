/** The hook before a tool call: which tools start it, by the rules that each program was seen to follow. */
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { COMMANDS } from "../../connectors/base/cli/commands.ts";
import { forHarnesses, type Program } from "../../connectors/base/cli/main.ts";
import { isMap } from "../../connectors/base/edit/json_value.ts";
import type { Harness } from "../../connectors/base/harness.ts";
import { placeholderSite } from "../../connectors/base/site/placeholder_site.ts";
import { HARNESSES } from "../../connectors/registry.ts";
import { serve } from "../../mock_daemon/mod.ts";
import { call } from "../worlds/cli_call.ts";
import { MeshHome, shownIds } from "../worlds/agents/mesh_home.ts";
import { World } from "../worlds/world.ts";

/** Whether a matcher selects a tool. */
type Rule = (matcher: string, tool: string) => boolean;

function search(matcher: string, tool: string): boolean {
  try {
    return new RegExp(matcher).test(tool);
  } catch {
    return false;
  }
}

/** Claude Code reads plain words as names, and anything else as a regular expression. */
const claudeRule = (plain: RegExp, separator: RegExp): Rule => (matcher, tool) =>
  plain.test(matcher) ? matcher.split(separator).some((word) => word.trim() === tool) : search(matcher, tool);

/** The hook-config harnesses whose matchers can leave tools out, and every version's rule. */
const RULES: Record<string, { readonly rules: readonly Rule[]; readonly reading: readonly string[] }> = {
  "claude-code": {
    rules: [
      // 2.0.42 to 2.1.148
      claudeRule(/^[a-zA-Z0-9_|]+$/, /\|/),
      // 2.1.325
      claudeRule(/^[a-zA-Z0-9_|, -]+$/, /[|,]/),
    ],
    reading: ["Read", "Glob", "Grep", "LS", "NotebookRead", "TodoWrite", "TaskList"],
  },
  gemini: {
    rules: [search],
    reading: ["read_file", "read_many_files", "list_directory", "glob", "grep_search", "search_file_content"],
  },
  qwen: {
    // An alternation is a list of names, unless it starts like an expression.
    rules: [(matcher, tool) => matcher === tool || (assert(matcher.startsWith("^")), search(matcher, tool))],
    reading: ["read_file", "list_directory", "glob", "grep_search", "todo_write"],
  },
  copilot: {
    // The whole name.
    rules: [(matcher, tool) => search(`^(?:${matcher})$`, tool)],
    reading: ["view", "glob", "grep", "rg"],
  },
};

/** What an install writes for an event of the mesh: the group, or the hook itself. */
function definition(harness: Harness, event: string): Record<string, unknown> | undefined {
  const site = placeholderSite(harness, { flags: { agents: true } });
  for (const target of harness.targets(site)) {
    for (const edit of target.kind === "edit" ? target.edits : []) {
      const { value } = edit;
      if (edit.kind === "item" && isMap(value) && JSON.stringify(value).includes(`hook ${event}`)) {
        return value;
      }
    }
  }
  return undefined;
}

const inConfig = HARNESSES.filter((harness) => definition(harness, "pre-tool") !== undefined);

Deno.test("hooks of the mesh are in the config of these harnesses", () => {
  assertEquals(inConfig.map(({ id }) => id).sort(), [...Object.keys(RULES), "codex", "kimi"].sort());
});

for (const harness of inConfig) {
  const { id } = harness;
  const known = RULES[id];
  const writing = Object.keys(harness.agents?.tools ?? {});

  Deno.test(`${id}: the hook after a tool call runs for every tool`, () => {
    assertEquals(definition(harness, "post-tool")?.matcher, undefined);
  });

  if (known === undefined) {
    // Codex's trust in a hook also ends with a new matcher.
    Deno.test(`${id}: the hook before a tool call runs for every tool`, () => {
      assertEquals(definition(harness, "pre-tool")?.matcher, undefined);
    });
    continue;
  }

  const matcher = definition(harness, "pre-tool")?.matcher;
  const runsFor = (tool: string) => known.rules.map((rule) => rule(String(matcher), tool));

  Deno.test(`${id}: no hook runs before a tool that only reads`, () => {
    for (const tool of known.reading) assert(runsFor(tool).every((runs) => !runs), `${tool}: ${matcher}`);
  });

  Deno.test(`${id}: the hook runs before every tool that writes, and before any that is not known`, () => {
    const { except = [] } = harness.agents?.events["pre-tool"] ?? {};
    assertEquals(except.filter((tool) => !/^\w+$/.test(tool)), [], "names with a meaning in an expression");
    const like = except.flatMap((tool) => [
      `${tool}2`,
      `${tool}_and_write`,
      `x${tool}`,
      `mcp__server__${tool}`,
      `mcp_server_${tool}`,
      `server-${tool}`,
      tool.slice(0, -1),
    ]);
    const strange = [
      "",
      "NewTool",
      "mcp__server__write_file",
      "signet-memory_search",
      "Task",
      "WebFetch",
      "ä b",
    ];
    for (const tool of [...writing, ...like, ...strange].filter((name) => !except.includes(name))) {
      assert(runsFor(tool).every((runs) => runs), `${JSON.stringify(tool)}: ${matcher}`);
    }
  });
}

/** The connector as it was before it had matchers. */
function earlier(harness: Harness): Harness {
  const { agents } = harness;
  const preTool = agents?.events["pre-tool"];
  if (agents === undefined || preTool === undefined) return harness;
  const { except: _except, ...rest } = preTool;
  return { ...harness, agents: { ...agents, events: { ...agents.events, "pre-tool": rest } } };
}

function program(harness: Harness): Program {
  return { binary: harness.binary, harnesses: [harness], commands: forHarnesses(COMMANDS, [harness]) };
}

const PROBLEM = /hooks\.(PreToolUse|BeforeTool|preToolUse) is different/;

/** What a user has before: hooks of their own at the same event, in their own layout. */
const CONFIGS: Record<string, readonly [path: string, text: string]> = {
  "claude-code": [
    ".claude/settings.json",
    '{"hooks":  {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}]}}\n',
  ],
  gemini: [
    ".gemini/settings.json",
    '{\n  // mine\n  "hooks": { "BeforeTool": [{ "hooks": [{ "type": "command", "command": "mine" }] }] }\n}\n',
  ],
  qwen: [".qwen/settings.json", '{\n\t"$version": 4, // theirs\n\t"hooks": {}\n}\n'],
  copilot: [
    ".copilot/hooks/signet.json",
    '{ "hooks": { "preToolUse": [ {"type":"command","command":"mine", "matcher": "bash"} ] } }',
  ],
};

for (const harness of inConfig.filter(({ id }) => id in RULES)) {
  Deno.test(`${harness.id}: an earlier install gets the matcher, and an uninstall leaves the user's bytes`, async () => {
    const [path, text] = CONFIGS[harness.id] ?? ["", ""];
    await using world = await World.create({ [path]: text });
    const mock = serve({});
    try {
      const env = { HOME: world.home, PATH: "/usr/bin:/bin" };
      const config = () => Deno.readTextFile(`${world.home}/${path}`);
      const run = async (which: Harness, ...args: string[]) => await call(program(which), args, { env });
      const flags = ["--yes", "--url", mock.url, "--agent-id", "me"];
      assertEquals((await run(earlier(harness), "install", ...flags, "--agents")).code, 0);
      const old = await config();
      assert(!old.includes("(?!"), old);
      assertMatch((await run(harness, "doctor")).out, PROBLEM);

      assertEquals((await run(harness, "install", ...flags)).code, 0);
      const current = await config();
      assertEquals(current.split("(?!").length, 2, current);
      assertNotMatch((await run(harness, "doctor")).out, PROBLEM);
      assertEquals((await run(harness, "install", ...flags)).code, 0);
      assertEquals(await config(), current, "a second install changes nothing");

      assertEquals((await run(earlier(harness), "install", ...flags)).code, 0);
      assertEquals((await config()).includes("(?!"), false, "an older connector takes its matcher back");
      assertEquals((await run(harness, "install", ...flags)).code, 0);

      assertEquals((await run(harness, "uninstall", "--yes")).code, 0);
      assertEquals(await config(), text);
    } finally {
      await mock.shutdown();
    }
  });
}

Deno.test("a message of priority 5 comes after a tool that no hook runs before", async () => {
  await using mesh = await MeshHome.make();
  await mesh.hook("session-start", { source: "startup" });
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  assertEquals(mesh.session?.status, "working");
  const { id } = mesh.send("stop: the build is broken", { priority: 5 });
  const read = { tool_name: "Read", tool_input: { file_path: "/home/u/app/a.ts" } };
  const { stdout } = await mesh.hook("post-tool", read);
  assertEquals(shownIds(JSON.parse(stdout).hookSpecificOutput.additionalContext), [id]);
  assertEquals([mesh.session?.status, mesh.session?.tool], ["working", undefined]);
  assertEquals((await mesh.hook("pre-tool", { ...read, tool_name: "Edit" })).stdout, "", "it was shown");
});
