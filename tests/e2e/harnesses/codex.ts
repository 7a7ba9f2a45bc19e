import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { codex } from "../../../connectors/codex/harness.ts";
import { callToolOnce, inOrder, REPLY, sayPlainly, type Script } from "../model/turn.ts";
import type { Ran } from "../process.ts";
import type { Scenario, Stage } from "../stage.ts";
import { secondProject, serveTwoAgents, UNLOAD_AFTER } from "./codex_windows.ts";
import { endsKilledSessions } from "../killed.ts";
import { Screen } from "../screen.ts";
import * as steps from "../steps.ts";

const BYPASS = "--dangerously-bypass-hook-trust";

export function ask(stage: Stage, args: string[]): Promise<Ran> {
  return stage.program(["exec", "--skip-git-repo-check", ...args], { env: { STUB_KEY: "stub" } });
}

function searchOnce(marker: string): Script {
  const input = { query: steps.TOOL_QUERY };
  return callToolOnce(marker, { name: "memory_search", namespace: "mcp__signet", input });
}

export function config(stage: Stage): string {
  return `# My Codex. Do not touch the order of things.
model = "gpt-5.4"            # the one I like
model_provider = "stub"
model_auto_compact_token_limit = 5000
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.stub]
name = "stub"
base_url = "${stage.model.url}/v1"
wire_api = "responses"
env_key = "STUB_KEY"
supports_websockets = false

# a server of my own
[mcp_servers.notes]
command = "/bin/false"
enabled = false

[projects."${stage.project}"]
trust_level = "trusted"

[projects."${secondProject(stage)}"]
trust_level = "trusted"
`;
}

function hooks(stage: Stage): string {
  const group = (name: string) => ({
    hooks: [{ type: "command", command: stage.userHook(name), timeout: 5 }],
  });
  return JSON.stringify({
    description: "my hooks",
    hooks: { SessionStart: [group("start")], Stop: [group("stop")] },
  });
}

export const scenario: Scenario = {
  harness: codex,
  packages: [{ name: "@openai/codex", version: "0.166.0", program: "@openai/codex/bin/codex.js" }],

  async play(stage) {
    await stage.userFile(".codex/config.toml", config(stage));
    await stage.userFile(".codex/hooks.json", hooks(stage));
    await stage.userFile(".codex/AGENTS.md", "# My own rules\n\nBe brief.\n");
    await steps.fillDaemon(stage);
    await steps.install(stage);

    const untrusted = await ask(stage, ["hello"]);
    await stage.check("without trust no hook runs, and status says so", async () => {
      steps.answered(untrusted);
      assert(!stage.model.requests.some((request) => request.raw.includes(steps.SESSION_MARK)), "a hook ran");
      const { stdout, stderr } = await stage.connector("status");
      assertStringIncludes(stdout + stderr, "untrusted hooks");
      assertStringIncludes((await stage.connector("doctor")).stdout, "untrusted hooks");
    });

    stage.model.requests.length = 0;
    stage.model.script = searchOnce("OSPREY");
    const first = await ask(stage, [BYPASS, "OSPREY: what do I have in the morning?"]);
    await stage.check("the program answers", () => steps.answered(first));
    const turns = [...stage.model.requests];
    await steps.userHooksRan(stage, { start: 1, stop: 1 });
    await steps.injectedOnce(stage, turns[0]);
    await steps.workspaceReached(stage, turns[0]);
    await steps.toolReturnedMemory(stage, turns);
    await steps.transcriptArrived(stage, ["OSPREY", REPLY]);

    // A context reported as full makes Codex compact before the turn that follows.
    stage.model.script = inOrder("HERON", [{ text: REPLY, inputTokens: 9_000 }]);
    stage.model.requests.length = 0;
    const resumed = await ask(stage, [BYPASS, "resume", "--last", "HERON: fill the context"]);
    await stage.check("a resumed session is not told a second time", () => {
      steps.answered(resumed);
      assertEquals(steps.occurrences(stage.model.requests[0]?.raw ?? "", steps.SESSION_MARK), 1);
    });
    stage.model.script = sayPlainly;
    stage.model.requests.length = 0;
    const compacted = await ask(stage, [BYPASS, "resume", "--last", "EGRET: and now?"]);
    const [summarising, after] = stage.model.requests;
    await stage.check("Codex compacts by itself", () => {
      steps.answered(compacted);
      assertStringIncludes(summarising?.raw ?? "", "COMPACTION");
    });
    await steps.injectedOnce(stage, after, ", after a compaction too");
    await steps.daemonRecorded(stage, [
      "session-start",
      "user-prompt-submit",
      "pre-compaction",
      "session-end",
    ]);

    await endsKilledSessions(stage, {
      open: (prompt) => Screen.open(stage, [BYPASS, "-m", "stub-1", prompt], { STUB_KEY: "stub" }),
      ask: (prompt) => ask(stage, [BYPASS, prompt]),
    });

    await steps.survivesDeadDaemon(stage, () => ask(stage, [BYPASS, "PLOVER: are you there?"]));
    await trustByFlag(stage);
    await steps.uninstall(stage, () => ask(stage, [BYPASS, "STORK: still there?"]), {
      ".codex/config.toml": keptBesideScreen,
    });
    await withInlineServers(stage);
    await inTwoWindows(stage);
  },
};

/** Codex's screen adds tables of its own at the end: what it has shown already. */
function keptBesideScreen(before: string, after: string): void {
  const at = after.indexOf("\n[tui]");
  assertEquals(at < 0 ? after : after.slice(0, at), before);
  const tables = after.slice(before.length).match(/^\[.*\]$/gm) ?? [];
  assertEquals(tables.filter((table) => !table.startsWith("[tui")), []);
}

/** Codex does not start on a table that extends an inline one; and here it has no hooks or instructions yet. */
async function withInlineServers(stage: Stage): Promise<void> {
  const inline = 'mcp_servers = { notes = { command = "/bin/false", enabled = false } } # in one line\n';
  const text = inline + config(stage).split("# a server of my own")[0];
  await stage.clear(".codex");
  await stage.userFile(".codex/config.toml", text);
  await steps.fillDaemon(stage);
  await steps.install(stage);
  stage.model.requests.length = 0;
  stage.model.script = searchOnce("DUNLIN");
  const ran = await ask(stage, [BYPASS, "DUNLIN: what do I have in the morning?"]);
  const turns = [...stage.model.requests];
  await stage.check("with an inline mcp_servers the program answers", () => steps.answered(ran));
  await steps.injectedOnce(stage, turns[0], ", with an inline mcp_servers");
  await steps.workspaceReached(stage, turns[0]);
  await steps.toolReturnedMemory(stage, turns);
  await steps.uninstall(stage, () => ask(stage, [BYPASS, "GODWIT: hello"]));
}

/** Without hooks of the user, which Codex's screen would ask to review. */
async function inTwoWindows(stage: Stage): Promise<void> {
  await stage.clear(".codex");
  await stage.userFile(".codex/config.toml", UNLOAD_AFTER + config(stage));
  await steps.fillDaemon(stage);
  await steps.install(stage, "--trust-hooks");
  await serveTwoAgents(stage, (prompt) => ask(stage, [prompt]));
  await steps.uninstall(stage, () => ask(stage, ["SMEW: hello"]), {
    ".codex/config.toml": keptBesideScreen,
  });
}

/** `--trust-hooks` writes what Codex itself would write: the hooks run without the bypass. */
async function trustByFlag(stage: Stage): Promise<void> {
  await steps.fillDaemon(stage);
  const flags = ["install", "--url", stage.daemon.url, "--agent-id", stage.agentId, "--yes", "--trust-hooks"];
  await stage.check("--trust-hooks shows the records in the diff", async () => {
    assertStringIncludes((await stage.connector(...flags, "--dry-run")).stdout, "trusted_hash");
  });
  await stage.check("--trust-hooks makes status say that Codex trusts our hooks", async () => {
    steps.succeeded(await stage.connector(...flags));
    assertStringIncludes((await stage.connector("status")).stdout, "Codex trusts our 4 hooks");
  });
  await steps.doctorIsContent(stage);
  stage.model.requests.length = 0;
  const trusted = await ask(stage, ["LAPWING: hello"]);
  await stage.check("with the records the hooks run without a bypass", () => {
    steps.answered(trusted);
    assertStringIncludes(stage.model.requests[0]?.raw ?? "", steps.SESSION_MARK);
  });
}
