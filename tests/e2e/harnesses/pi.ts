import { assertEquals, assertStringIncludes } from "@std/assert";
import { pi } from "../../../connectors/pi/harness.ts";
import { callToolOnce, inOrder, REPLY, sayPlainly } from "../model/turn.ts";
import { NODE_24 } from "../node_24.ts";
import { type Package, programPath } from "../packages.ts";
import type { Ran } from "../process.ts";
import type { Scenario, Stage } from "../stage.ts";
import { endsKilledSessions } from "../killed.ts";
import { Screen } from "../screen.ts";
import * as steps from "../steps.ts";

const PI: Package = {
  name: "@earendil-works/pi-coding-agent",
  version: "0.87.1",
  program: "@earendil-works/pi-coding-agent/dist/cli.js",
};

export function ask(stage: Stage, prompt: string, ...args: string[]): Promise<Ran> {
  return stage.program(["--provider", "stub", "--model", "stub-1", ...args, "-p", prompt], {
    env: { PI_OFFLINE: "1" },
  });
}

export function models(stage: Stage): string {
  const model = {
    id: "stub-1",
    name: "Stub",
    reasoning: false,
    input: ["text"],
    contextWindow: 100_000,
    maxTokens: 4096,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
  const stub = {
    baseUrl: `${stage.model.url}/v1`,
    api: "openai-completions",
    apiKey: "stub",
    models: [model],
  };
  return JSON.stringify({ providers: { stub } }, null, 3);
}

/** An extension of the user's own, beside ours. */
function userExtension(stage: Stage): string {
  return `import { execSync } from "node:child_process";
// mine
export default function (pi: any) {
  pi.on("before_agent_start", () => { execSync(${JSON.stringify(stage.userHook("start"))}); });
}
`;
}

export const scenario: Scenario = {
  harness: pi,
  packages: [PI, NODE_24],
  command: [programPath(NODE_24), programPath(PI)],

  async play(stage) {
    await stage.userFile(".pi/agent/models.json", models(stage));
    // With so little kept, a full context can be compacted at all.
    await stage.userFile(
      ".pi/agent/settings.json",
      '{ "compaction": { "enabled": true,   "reserveTokens": 1000, "keepRecentTokens": 10 } }',
    );
    await stage.userFile(".pi/agent/extensions/mine.ts", userExtension(stage));
    await stage.userFile(".pi/agent/AGENTS.md", "# My own rules\n\nThink of the PELICAN.");
    await steps.fillDaemon(stage);
    await steps.install(stage);

    const tool = { name: "memory_search", input: { query: steps.TOOL_QUERY } };
    stage.model.script = callToolOnce("OSPREY", tool);
    const first = await ask(stage, "OSPREY: what do I have in the morning?");
    await stage.check("the program answers", () => steps.answered(first));
    const turns = [...stage.model.requests];
    await steps.userHooksRan(stage, { start: 1 });
    await steps.injectedOnce(stage, turns[0]);
    await steps.workspaceReached(stage, turns[0]);
    await stage.check("the user's AGENTS.md still reaches the model", () => {
      assertEquals(steps.occurrences(turns[0]?.raw ?? "", "PELICAN"), 1);
    });
    await steps.toolReturnedMemory(stage, turns);
    await steps.transcriptArrived(stage, ["OSPREY", REPLY]);

    // A context reported as full makes pi compact.
    stage.model.script = inOrder("HERON", [{ text: REPLY, inputTokens: 99_500 }]);
    await ask(stage, "HERON: fill the context", "--continue");
    stage.model.script = sayPlainly;
    stage.model.requests.length = 0;
    const resumed = await ask(stage, "EGRET: and now?", "--continue");
    await stage.check("after the compaction, in a resumed session, the model has its memory once", () => {
      steps.answered(resumed);
      const request = stage.model.requests.at(-1);
      assertStringIncludes(request?.raw ?? "", "EGRET");
      assertEquals(steps.occurrences(request?.raw ?? "", steps.SESSION_MARK), 1);
    });
    await steps.daemonRecorded(stage, [
      "session-start",
      "user-prompt-submit",
      "pre-compaction",
      "compaction-complete",
      "session-end",
    ]);

    await endsKilledSessions(stage, {
      open: (prompt) =>
        Screen.open(stage, ["--provider", "stub", "--model", "stub-1", prompt], { PI_OFFLINE: "1" }),
      ask: (prompt) => ask(stage, prompt),
    });

    await steps.survivesDeadDaemon(stage, () => ask(stage, "PLOVER: are you there?"));
    await steps.uninstall(stage, () => ask(stage, "STORK: still there?"), {
      ".pi/agent/settings.json": settingsKept,
    });
    await steps.userHooksRan(stage, { start: 2 });
  },
};

/** pi rewrites its settings in a terminal: it notes the version whose changelog it has shown. */
function settingsKept(before: string, after: string): void {
  const { lastChangelogVersion: _, ...rest } = JSON.parse(after);
  assertEquals(rest, JSON.parse(before));
}
