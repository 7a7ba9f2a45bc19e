import { assert, assertEquals } from "@std/assert";
import { kilo } from "../../../connectors/kilo/harness.ts";
import { offersTools, toConversation } from "../model/main_requests.ts";
import { callToolOnce, inOrder, type ModelRequest, REPLY, sayPlainly } from "../model/turn.ts";
import type { Package } from "../packages.ts";
import type { Ran } from "../process.ts";
import type { Scenario, Stage } from "../stage.ts";
import { compactionKept, userFileReached } from "../conversation_steps.ts";
import { fetchedAlready as fetched, userPlugin } from "../opencode_home.ts";
import * as steps from "../steps.ts";

export const VERSION = "7.7.9";
const CONFIG = ".config/kilo/kilo.json";

/** npm has no `@kilocode/cli` of every version, but the platform's package is the whole program. */
export function kiloPackage(version: string): Package {
  return {
    name: "@kilocode/cli-linux-x64",
    version,
    program: "@kilocode/cli-linux-x64/bin/kilo",
    ignoreScripts: true,
  };
}

export const ENV = {
  KILO_DISABLE_MODELS_FETCH: "1",
  KILO_DISABLE_AUTOUPDATE: "1",
  KILO_DISABLE_SHARE: "1",
};

export function ask(stage: Stage, prompt: string, ...args: string[]): Promise<Ran> {
  return stage.program(["run", "--auto", ...args, prompt], {
    env: ENV,
    timeoutMs: 300_000,
  });
}

export function conversation(stage: Stage): ModelRequest[] {
  return stage.model.requests.filter(offersTools);
}

export function config(stage: Stage): string {
  return `{
  // My Kilo. It is going to rewrite this file.
  "model": "stub/stub-1", "small_model": "stub/stub-1",
  "provider": {
    "stub": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "${stage.model.url}/v1", "apiKey": "stub" },
      "models": { "stub-1": { "limit": { "context": 100000, "output": 4096 } } }, // small enough to fill
    },
  },
  "mcp": { "notes": { "type": "local", "command": ["/bin/false"], "enabled": false } }, // off for now
}
`;
}

/** With these Kilo does not wait for npm. */
export function fetchedAlready(stage: Stage, version: string): Promise<void> {
  return fetched(stage, ".config/kilo", "@kilocode/plugin", version);
}

export const scenario: Scenario = {
  harness: kilo,
  packages: [kiloPackage(VERSION)],

  async play(stage) {
    await stage.userFile(CONFIG, config(stage));
    await stage.userFile(".config/kilo/plugins/mine.js", userPlugin(stage));
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
    const rewritten = await rewrote(stage);

    await resumesAndCompacts(stage);
    await steps.daemonRecorded(stage, [
      "session-start",
      "user-prompt-submit",
      "pre-compaction",
      "compaction-complete",
      "session-end",
    ]);
    await steps.doctorIsContent(stage);

    stage.model.script = sayPlainly;
    await steps.survivesHangingDaemon(stage, () => ask(stage, "TEAL: are you there?"));
    await steps.survivesDeadDaemon(stage, () => ask(stage, "PLOVER: are you there?"));
    await steps.uninstall(stage, () => ask(stage, "STORK: still there?"), {
      [CONFIG]: (_, after) => assertEquals(after, rewritten),
    });
    await steps.userHooksRan(stage, { message: 5 });
  },
};

/** The config as Kilo leaves it after its first run: without comments, and with a permission. */
async function rewrote(stage: Stage): Promise<string | undefined> {
  const text = await stage.read(CONFIG);
  await stage.check("Kilo has rewritten its config, with nothing of ours", () => {
    assert(text !== undefined && text !== stage.userFiles.get(CONFIG), "the config is as before");
    assertEquals(text.includes("// My Kilo"), false);
    assertEquals(/signet/i.test(text), false, text);
  });
  return text;
}

/** A resumed session has no `session.created`; a context reported as full in mid-turn makes Kilo compact and go on. */
async function resumesAndCompacts(stage: Stage): Promise<void> {
  const tool = { name: "signet_memory_search", input: { query: "breakfast" } };
  stage.model.script = toConversation(inOrder("HERON", [{ tool, inputTokens: 99_000 }]));
  stage.model.requests.length = 0;
  const ran = await ask(stage, "HERON: fill the context", "--continue");
  await stage.check("the program answers in a resumed session", () => steps.answered(ran));
  await steps.injectedOnce(stage, conversation(stage)[0], ", in a resumed session too");
  await stage.check("a compaction's prompt has what Signet wants kept, and none of its memories", () => {
    compactionKept(stage);
  });
  await stage.check("after the compaction the model still has its memory", () => {
    const last = stage.model.requests.findLast(offersTools);
    assert(last !== conversation(stage)[0], "no request after the compaction");
    assertEquals(steps.occurrences(last?.raw ?? "", steps.SESSION_MARK), 1);
  });
}
