import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { claudeCode } from "../../../connectors/claude_code/harness.ts";
import { callToolOnce, REPLY, sayPlainly } from "../model/turn.ts";
import type { Ran } from "../process.ts";
import type { Scenario, Stage } from "../stage.ts";
import { endsKilledSessions } from "../killed.ts";
import { Screen } from "../screen.ts";
import * as steps from "../steps.ts";

const KEY = "stub";

export function env(stage: Stage): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: stage.model.url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
  };
}

export function ask(stage: Stage, prompt: string, ...args: string[]): Promise<Ran> {
  return stage.program(
    ["-p", prompt, "--output-format", "json", "--allowedTools", "mcp__signet__*,mcp__signet", ...args],
    { env: env(stage) },
  );
}

/** Claude Code ignores settings with a comment in them, so these have odd layout instead. */
export function settings(stage: Stage): string {
  const hook = (name: string) => `{"type": "command", "command": ${JSON.stringify(stage.userHook(name))}}`;
  return `{
   "permissions": {"allow": ["Read(~/notes/**)"],   "deny": []},
   "hooks": {
      "SessionStart": [{"matcher": "startup", "hooks": [${hook("start")}]}],
      "UserPromptSubmit": [
         { "hooks": [ ${hook("prompt")} ] }
      ],
      "Stop": [{"hooks": [${hook("stop")}]}]
   },
   "includeCoAuthoredBy": false
}`;
}

/** Claude Code's state file, with the answers to what its screen asks first. */
export function state(stage: Stage): string {
  const answered = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [KEY], rejected: [] },
    projects: { [stage.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  return `{
  "numStartups": 7,
  "mcpServers": { "notes": { "type": "stdio", "command": "/bin/false", "args": [], "env": {} } },
  ${JSON.stringify(answered).slice(1, -1)}
}
`;
}

/** Claude Code rewrites its state file: what the user had in it is still there, and we are not. */
export function stateKept(before: string, after: string): void {
  assertEquals(JSON.parse(after).mcpServers, JSON.parse(before).mcpServers);
  assert(!after.includes("signet-claude-code"), after);
}

export const scenario: Scenario = {
  harness: claudeCode,
  packages: [{
    name: "@anthropic-ai/claude-code",
    version: "2.1.325",
    program: "@anthropic-ai/claude-code/bin/claude.exe",
  }],

  async play(stage) {
    await stage.userFile(".claude/settings.json", settings(stage));
    await stage.userFile(".claude.json", state(stage));
    await stage.userFile(".claude/CLAUDE.md", "# My own rules\n\nBe brief. I like Signet.\n");
    await stage.userFile(
      ".claude/skills/mine/SKILL.md",
      "---\nname: mine\ndescription: my own\n---\nHello.\n",
    );
    await steps.fillDaemon(stage);
    await steps.install(stage);

    stage.model.script = callToolOnce("OSPREY", {
      name: "mcp__signet__memory_search",
      input: { query: steps.TOOL_QUERY },
    });
    const first = await ask(stage, "OSPREY: what do I have in the morning?");
    await stage.check("the program answers", () => steps.answered(first));
    const turns = [...stage.model.requests];
    await steps.userHooksRan(stage, { start: 1, prompt: 1, stop: 1 });
    await steps.injectedOnce(stage, turns[0]);
    await steps.workspaceReached(stage, turns[0]);
    await steps.toolReturnedMemory(stage, turns);
    await steps.transcriptArrived(stage, ["OSPREY", REPLY]);

    stage.model.script = sayPlainly;
    const session: string = JSON.parse(first.stdout || "{}").session_id ?? "";
    stage.model.requests.length = 0;
    const compacted = await ask(stage, "/compact keep the birds", "--resume", session);
    await stage.check("/compact runs, and what Signet wants kept is in the compaction prompt", () => {
      steps.succeeded(compacted);
      const prompt = stage.model.requests.find((request) => request.raw.includes("keep the birds"));
      assert(prompt?.raw.includes(steps.COMPACTION_MARK), "no compaction request with Signet's words");
    });
    stage.model.requests.length = 0;
    const resumed = await ask(stage, "HERON: and now?", "--resume", session);
    await stage.check("the program answers after the compaction", () => steps.answered(resumed));
    await steps.injectedOnce(stage, stage.model.requests[0], ", after a compaction too");
    await steps.daemonRecorded(stage, [
      "session-start",
      "user-prompt-submit",
      "pre-compaction",
      "compaction-complete",
      "session-end",
    ]);

    await steps.doctorIsContent(stage);

    await endsKilledSessions(stage, {
      open: (prompt) => Screen.open(stage, [prompt], env(stage)),
      ask: (prompt) => ask(stage, prompt),
    });

    await steps.survivesDeadDaemon(stage, () => ask(stage, "PLOVER: are you there?"));
    await steps.uninstall(stage, () => ask(stage, "STORK: still there?"), { ".claude.json": stateKept });
    await steps.userHooksRan(stage, { start: 2, prompt: 2, stop: 2 });
    await inAnEmptyHome(stage);
    await withPlugin(stage);
  },
};

/** Commands that open no session, and may end one that never started. */
export async function filesNothing(stage: Stage, ...args: string[]): Promise<void> {
  const before = (await stage.daemon.hooks()).length;
  const ran = await stage.program(args, { env: env(stage) });
  await stage.check(`\`claude ${args.slice(0, 3).join(" ")}\` files nothing`, async () => {
    steps.succeeded(ran);
    steps.succeeded(await stage.connector("flush"));
    assertEquals((await stage.daemon.hooks()).length, before);
  });
}

/** The user adds a plugin from a directory. */
async function withPlugin(stage: Stage): Promise<void> {
  await stage.clear(".claude", ".claude.json");
  await steps.fillDaemon(stage);
  await steps.install(stage);
  const owner = { name: "me" };
  const market = { name: "mine", owner, plugins: [{ name: "birds", source: "./birds", version: "1.0.0" }] };
  await stage.userFile("market/.claude-plugin/marketplace.json", JSON.stringify(market));
  await stage.userFile(
    "market/birds/.claude-plugin/plugin.json",
    JSON.stringify({ name: "birds", description: "birds", version: "1.0.0" }),
  );
  await filesNothing(stage, "plugin", "marketplace", "add", stage.at("market"));
  await filesNothing(stage, "plugin", "install", "birds@mine");
  await stage.check("the plugin is installed", async () => {
    const { stdout } = await stage.program(["plugin", "list"], { env: env(stage) });
    assertStringIncludes(stdout, "birds@mine");
  });
  await filesNothing(stage, "mcp", "list");
  await steps.uninstall(stage, () => ask(stage, "RUFF: hello"));
}

/** Where Claude Code has never run: every file is ours, and the identity is CLAUDE.md itself. */
async function inAnEmptyHome(stage: Stage): Promise<void> {
  await stage.clear(".claude", ".claude.json");
  await steps.fillDaemon(stage);
  await steps.install(stage);
  stage.model.requests.length = 0;
  const ran = await ask(stage, "DUNLIN: hello");
  await stage.check("in a home without any config the program answers", async () => {
    steps.answered(ran);
    assert(
      (await stage.read(".claude/CLAUDE.md"))?.includes(steps.IDENTITY_MARK),
      "CLAUDE.md has no identity",
    );
  });
  await steps.injectedOnce(stage, stage.model.requests[0], ", in a home without any config");
  await steps.workspaceReached(stage, stage.model.requests[0]);
  await steps.uninstall(stage, () => ask(stage, "GODWIT: hello"));
  await stage.check("only what the program wrote is left", async () => {
    assertEquals(await stage.read(".claude/settings.json"), undefined);
    assertEquals(await stage.read(".claude/CLAUDE.md"), undefined);
    assert(
      !(await stage.read(".claude.json"))?.includes("signet-claude-code"),
      "the MCP server is still there",
    );
  });
}
