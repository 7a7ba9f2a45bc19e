import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { qwen } from "../../../connectors/qwen/harness.ts";
import { offersTools } from "../model/main_requests.ts";
import { inOrder, type ModelRequest, REPLY, sayPlainly } from "../model/turn.ts";
import { NODE_24 } from "../node_24.ts";
import { type Package, programPath } from "../packages.ts";
import type { Ran } from "../process.ts";
import { answeredSession, Screen } from "../screen.ts";
import type { Scenario, Stage } from "../stage.ts";
import { endedOnce, memories, resumesWithMemory, userFileReached } from "../conversation_steps.ts";
import * as steps from "../steps.ts";
import { poll } from "../watch.ts";

const QWEN: Package = {
  name: "@qwen-code/qwen-code",
  version: "0.24.4",
  program: "@qwen-code/qwen-code/cli-entry.js",
  ignoreScripts: true,
};

function env(stage: Stage): Record<string, string> {
  return { OPENAI_API_KEY: "stub", OPENAI_BASE_URL: `${stage.model.url}/v1`, OPENAI_MODEL: "stub-1" };
}

export function ask(stage: Stage, prompt: string, ...args: string[]): Promise<Ran> {
  return stage.program(["-p", prompt, "--approval-mode", "yolo", ...args], {
    env: env(stage),
    timeoutMs: 300_000,
  });
}

/** Without `$version` Qwen Code rewrites the file at its first start. */
export function settings(stage: Stage): string {
  const hook = (name: string) => `{ "type": "command", "command": ${JSON.stringify(stage.userHook(name))} }`;
  return `{
  // My Qwen Code
  "security": { "auth": { "selectedType": "openai" } },
  "general": { "enableAutoUpdate": false },
  "privacy": { "usageStatisticsEnabled": false },
  "memory": { "enableManagedAutoMemory": false }, /* I have a memory */
  "hooks": {
    "UserPromptSubmit": [ { "hooks": [ ${hook("prompt")} ] } ],
    "Stop": [{"hooks": [${hook("stop")}]}]
  },
  "mcpServers": {}
}
`;
}

export const scenario: Scenario = {
  harness: qwen,
  packages: [QWEN, NODE_24],
  command: [programPath(NODE_24), programPath(QWEN)],

  async play(stage) {
    await stage.userFile(".qwen/settings.json", settings(stage));
    await stage.userFile(".qwen/QWEN.md", "# My own rules\n\nThink of the PELICAN.");
    await steps.fillDaemon(stage);
    await steps.install(stage);

    // The tools are not declared: the model looks one up, then calls it through another.
    const name = "mcp__signet__memory_search";
    stage.model.script = inOrder("OSPREY", [
      { tool: { name: "tool_search", input: { query: `select:${name}` } } },
      { tool: { name: "tool_call", input: { name, arguments: { query: steps.TOOL_QUERY } } } },
    ]);
    const first = await ask(stage, "OSPREY: what do I have in the morning?");
    await stage.check("the program answers", () => steps.answered(first));
    const turns = [...stage.model.requests];
    await stage.check("Qwen Code rewrote its settings at the first start", async () => {
      assertStringIncludes(await stage.read(".qwen/settings.json") ?? "", '"$version"');
    });
    await steps.injectedOnce(stage, turns[0]);
    await stage.check("the prompt hook that follows each tool result adds nothing", async () => {
      assert(await stage.userHookRuns("prompt") > 1, "it ran once");
      assertEquals(steps.occurrences(turns.at(-1)?.raw ?? "", steps.PROMPT_MARK), 1);
    });
    await steps.workspaceReached(stage, turns[0]);
    await userFileReached(stage, "QWEN.md", turns[0]);
    await steps.toolReturnedMemory(stage, turns);
    await steps.checkpointArrived(stage, ["OSPREY", REPLY]);

    await resumesWithMemory(stage, (prompt) => ask(stage, prompt, "--continue"));
    await onScreen(stage);
    // `qwen -p` sent no end: the start of the screen ended that session.
    await steps.transcriptArrived(stage, ["OSPREY", "WIGEON", REPLY]);
    await steps.daemonRecorded(stage, [
      "session-start",
      "user-prompt-submit",
      "pre-compaction",
      "compaction-complete",
      "checkpoint",
      "session-end",
    ]);

    await steps.doctorIsContent(stage);
    await steps.survivesDeadDaemon(
      stage,
      () => ask(stage, "PLOVER: are you there?"),
      () => ask(stage, "KNOT: and again?"),
    );
    await steps.survivesHangingDaemon(stage, () => ask(stage, "TEAL: are you there?"));
    await steps.uninstall(stage, () => ask(stage, "STORK: still there?"), {
      ".qwen/settings.json": (before, after) => {
        // It rewrote the file twice, with our entries in it, in its own layout.
        const added = { $version: 4, ui: { autoModeAcknowledged: true } };
        const lines = JSON.stringify(added, null, 2).slice(2);
        assertEquals(after, before.replace(/\n\}\n$/, () => `,\n${lines}\n`));
      },
    });
    await steps.printsVersion(stage);
  },
};

/** What only the screen does: a compaction, and an end. */
async function onScreen(stage: Stage): Promise<void> {
  // A compaction must be worth it: the context is reported as large before it.
  stage.model.script = ({ raw }) =>
    raw.includes(steps.COMPACTION_MARK)
      ? { text: "<state_snapshot>hello</state_snapshot>" }
      : { text: REPLY, inputTokens: 50_000 };
  stage.model.requests.length = 0;
  const story = `HERON: hello ${"and a long story ".repeat(100)}`;
  await using screen = await Screen.open(stage, ["-i", story], env(stage));
  const request = (isWanted: (request: ModelRequest) => boolean) =>
    poll(() => Promise.resolve(stage.model.requests.findLast(isWanted)), (found) => found !== undefined);
  let key: string | undefined;
  await stage.check("a compaction gets the daemon's text, and the model keeps its memory once", async () => {
    key = await answeredSession(stage, "HERON");
    assert(key !== undefined, await screen.text());
    await screen.enter("/compress");
    assert(
      await request(({ raw }) => raw.includes(steps.COMPACTION_MARK)) !== undefined,
      await screen.text(),
    );
    const shown = await poll(() => screen.text(), (text) => text.includes("Chat history compressed"));
    assertStringIncludes(shown, "Chat history compressed");
    await screen.enter("EGRET: and now?");
    // A side request, such as one for a title, repeats the prompt and has no memory.
    const next = await request((each) => offersTools(each) && each.raw.includes("EGRET"));
    assertEquals(memories(next), 1, await screen.text());
    assert(await answeredSession(stage, "EGRET") !== undefined, await screen.text());
  });
  await stage.check("/quit ends the session, with its transcript", async () => {
    await screen.enter("/quit");
    await endedOnce(stage, key, ["EGRET"]);
  });
  stage.model.script = sayPlainly;
}
