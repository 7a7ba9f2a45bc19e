import { assert, assertEquals } from "@std/assert";
import { opencode } from "../../../connectors/opencode/harness.ts";
import { offersTools, toConversation } from "../model/main_requests.ts";
import { callToolOnce, inOrder, type ModelRequest, REPLY, sayPlainly } from "../model/turn.ts";
import type { Ran } from "../process.ts";
import type { Scenario, Stage } from "../stage.ts";
import { endsKilledSessions } from "../killed.ts";
import { Screen } from "../screen.ts";
import { compactionKept, userFileReached } from "../conversation_steps.ts";
import { fetchedAlready as fetched, userPlugin } from "../opencode_home.ts";
import * as steps from "../steps.ts";
import { poll } from "../watch.ts";

export const VERSION = "1.18.33";

export const ENV = {
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_SHARE: "1",
};

export function ask(stage: Stage, prompt: string, ...args: string[]): Promise<Ran> {
  return stage.program(["run", ...args, prompt], { env: ENV });
}

export function conversation(stage: Stage): ModelRequest[] {
  return stage.model.requests.filter(offersTools);
}

export function config(stage: Stage): string {
  return `{
  // My OpenCode. The stub is my favourite model.
  "$schema": "https://opencode.ai/config.json",
  "model": "stub/stub-1", "small_model": "stub/stub-1",
  "autoupdate": false,
  "provider": {
    "stub": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "${stage.model.url}/v1", "apiKey": "stub" },
      "models": { "stub-1": { "limit": { "context": 100000, "output": 4096 } } }, // small enough to fill
    },
  },
  "mcp": {
    "notes": { "type": "local", "command": ["/bin/false"], "enabled": false }, // off for now
  },
}
`;
}

/** With these OpenCode does not wait for npm. */
export function fetchedAlready(stage: Stage, version: string): Promise<void> {
  return fetched(stage, ".config/opencode", "@opencode-ai/plugin", version);
}

export const scenario: Scenario = {
  harness: opencode,
  packages: [{ name: "opencode-ai", version: VERSION, program: "opencode-linux-x64/bin/opencode" }],

  async play(stage) {
    await stage.userFile(".config/opencode/opencode.jsonc", config(stage));
    await stage.userFile(".config/opencode/plugins/mine.js", userPlugin(stage));
    await stage.userFile(".claude/CLAUDE.md", "# My own rules\n\nThink of the PELICAN.\n");
    await fetchedAlready(stage, VERSION);
    await steps.fillDaemon(stage);
    await steps.install(stage);

    const tool = { name: "signet_memory_search", input: { query: steps.TOOL_QUERY } };
    stage.model.script = toConversation(callToolOnce("OSPREY", tool));
    const first = await ask(stage, "OSPREY: what do I have in the morning?");
    await stage.check("the program answers", () => steps.answered(first));
    const turns = conversation(stage);
    await steps.userHooksRan(stage, { message: 1 });
    await steps.injectedOnce(stage, turns[0]);
    await steps.workspaceReached(stage, turns[0]);
    await userFileReached(stage, "CLAUDE.md", turns[0]);
    await steps.toolReturnedMemory(stage, turns);
    await steps.transcriptArrived(stage, ["OSPREY", REPLY]);

    await resumes(stage);
    await compacts(stage);
    await hasChildren(stage);
    await steps.daemonRecorded(stage, [
      "session-start",
      "user-prompt-submit",
      "pre-compaction",
      "compaction-complete",
      "session-end",
    ]);

    // Its animations take a processor of their own.
    await Deno.writeTextFile(stage.at(".local/state/opencode/kv.json"), '{"animations_enabled":false}');
    await endsKilledSessions(stage, {
      open: (prompt) => Screen.open(stage, ["--prompt", prompt], ENV),
      ask: (prompt) => ask(stage, prompt),
    });

    await steps.survivesDeadDaemon(stage, () => ask(stage, "PLOVER: are you there?"));
    await steps.uninstall(stage, () => ask(stage, "STORK: still there?"));
    await steps.userHooksRan(stage, { message: 2 });
  },
};

/** A resumed session has no `session.created`, and a context that OpenCode did not store. */
async function resumes(stage: Stage): Promise<void> {
  stage.model.script = sayPlainly;
  stage.model.requests.length = 0;
  const resumed = await ask(stage, "WIGEON: and now?", "--continue");
  await stage.check("the program answers in a resumed session", () => steps.answered(resumed));
  await steps.injectedOnce(stage, conversation(stage)[0], ", in a resumed session too");
}

/** A context reported as full makes OpenCode compact and go on. */
async function compacts(stage: Stage): Promise<void> {
  stage.model.script = toConversation(inOrder("HERON", [{ text: REPLY, inputTokens: 99_000 }]));
  stage.model.requests.length = 0;
  const compacted = await ask(stage, "HERON: fill the context", "--continue");
  await stage.check("a compaction's prompt has what Signet wants kept, and none of its memories", () => {
    steps.answered(compacted);
    compactionKept(stage);
  });
  await stage.check("after the compaction the model still has its memory", () => {
    const after = conversation(stage).at(-1);
    assertEquals(steps.occurrences(after?.raw ?? "", steps.SESSION_MARK), 1);
  });
}

/** A sub-agent is a session of its own with a parent. */
async function hasChildren(stage: Stage): Promise<void> {
  const input = { description: "count birds", prompt: "EGRET: count them", subagent_type: "general" };
  stage.model.script = toConversation(callToolOnce("CURLEW", { name: "task", input }));
  const ran = await ask(stage, "CURLEW: let another count");
  await stage.check("a sub-agent's session names its parent", async () => {
    steps.answered(ran);
    const hooks = await poll(
      () => stage.daemon.hooks(),
      (seen) => seen.some((hook) => hook.body.parentSessionKey !== undefined),
    );
    const child = hooks.find((hook) => hook.body.parentSessionKey !== undefined);
    assert(child !== undefined, "no hook names a parent");
    const parent = hooks.find((hook) => hook.body.sessionKey === child.body.parentSessionKey);
    assert(parent !== undefined && parent.body.sessionKey !== child.body.sessionKey, "the parent is unknown");
  });
}
