import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { omp } from "../../../connectors/omp/harness.ts";
import { offersTools, toConversation } from "../model/main_requests.ts";
import { inOrder, type ModelRequest, REPLY, sayPlainly, type Script } from "../model/turn.ts";
import { type Package, programPath } from "../packages.ts";
import type { Ran } from "../process.ts";
import type { Scenario, Stage } from "../stage.ts";
import * as steps from "../steps.ts";

export function ompPackage(version: string): Package {
  return {
    name: "@oh-my-pi/pi-coding-agent",
    version,
    program: "@oh-my-pi/pi-coding-agent/dist/cli.js",
    ignoreScripts: true,
  };
}

const OMP = ompPackage("18.2.3");

/** oh-my-pi runs on Bun alone; the package `bun` would fetch this one in an install script. */
export const BUN: Package = {
  name: "@oven/bun-linux-x64",
  version: "1.4.4",
  program: "@oven/bun-linux-x64/bin/bun",
};

export function ask(stage: Stage, prompt: string, ...args: string[]): Promise<Ran> {
  return askWith(stage, {}, prompt, ...args);
}

export function askWith(
  stage: Stage,
  env: Record<string, string>,
  prompt: string,
  ...args: string[]
): Promise<Ran> {
  return stage.program(["--model", "stub/stub-1", ...args, "-p", prompt], {
    env: { PI_OFFLINE: "1", ...env },
    timeoutMs: 300_000,
  });
}

export function conversation(stage: Stage): ModelRequest[] {
  return stage.model.requests.filter(offersTools);
}

export function models(stage: Stage): string {
  return `providers:
  stub: # my favourite model
    baseUrl: ${stage.model.url}/v1
    api: openai-completions
    apiKey: stub
    models:
      - id: stub-1
        name: Stub
        reasoning: false
        input: [text]
        contextWindow: 100000
        maxTokens: 4096
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
`;
}

/** An extension of the user's own, beside ours. */
function userExtension(stage: Stage): string {
  return `import { execSync } from "node:child_process";
// mine
export default function (pi: any) {
  pi.on("agent_start", () => { execSync(${JSON.stringify(stage.userHook("start"))}); });
}
`;
}

/**
 * oh-my-pi mounts MCP tools as devices: the model writes the arguments to them. The first start on a machine
 * waits 250 ms for a server, and mounts its tools when they come: so the model tries again, after a pause.
 */
export function searchOnce(marker: string): Script {
  const content = JSON.stringify({ query: steps.TOOL_QUERY });
  const search = { name: "write", input: { path: "xd://mcp__signet_memory_search", content } };
  const pause = { name: "bash", input: { command: "sleep 0.5" } };
  let calls = 0;
  let before: number | undefined;
  return ({ raw }) => {
    const marks = steps.occurrences(raw, steps.TOOL_MARK);
    if (!raw.includes(marker) || calls > 60 || marks > (before ??= marks)) return { text: REPLY };
    return { tool: calls++ % 2 === 0 ? search : pause };
  };
}

export const scenario: Scenario = {
  harness: omp,
  packages: [OMP, BUN],
  command: [programPath(BUN), programPath(OMP)],

  async play(stage) {
    await stage.userFile(".omp/agent/models.yml", models(stage));
    // The other methods take no guidelines.
    await stage.userFile(".omp/agent/config.yml", "compaction:\n    methodOrder: [soft] # mine\n");
    await stage.userFile(
      ".omp/agent/mcp.json",
      '{"mcpServers": {\n   "notes": {"command": "/bin/false", "enabled": false}}}',
    );
    await stage.userFile(".omp/agent/extensions/mine.ts", userExtension(stage));
    await stage.userFile(".omp/agent/AGENTS.md", "# My own rules\n\nThink of the PELICAN.");
    await steps.fillDaemon(stage);
    await steps.install(stage);

    stage.model.script = toConversation(searchOnce("OSPREY"));
    const first = await ask(stage, "OSPREY: what do I have in the morning?");
    await stage.check("the program answers", () => steps.answered(first));
    const turns = conversation(stage);
    await steps.userHooksRan(stage, { start: 1 });
    await steps.injectedOnce(stage, turns[0]);
    await steps.workspaceReached(stage, turns[0]);
    await stage.check("the user's AGENTS.md still reaches the model", () => {
      assertEquals(steps.occurrences(turns[0]?.raw ?? "", "PELICAN"), 1);
    });
    await steps.toolReturnedMemory(stage, turns);
    await steps.transcriptArrived(stage, ["OSPREY", REPLY]);

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
    await steps.uninstall(stage, () => ask(stage, "STORK: still there?"));
    await steps.userHooksRan(stage, { start: 5 });
  },
};

/** A context reported as full makes oh-my-pi compact. */
async function resumesAndCompacts(stage: Stage): Promise<void> {
  stage.model.script = toConversation(inOrder("HERON", [{ text: REPLY, inputTokens: 99_500 }]));
  stage.model.requests.length = 0;
  const ran = await ask(stage, "HERON: fill the context", "--continue");
  await stage.check("the program answers in a resumed session", () => steps.answered(ran));
  await stage.check("a resumed session has its memory once, and the earlier turn", () => {
    const [request] = conversation(stage);
    assertStringIncludes(request?.raw ?? "", "OSPREY");
    assertEquals(steps.occurrences(request?.raw ?? "", steps.SESSION_MARK), 1);
  });
  await stage.check("a compaction's prompt has what Signet wants kept", () => {
    const prompt = stage.model.requests.find((request) => request.raw.includes(steps.COMPACTION_MARK));
    assert(prompt !== undefined, "no compaction request with Signet's words");
  });
  await stage.check("the daemon hears of each prompt once", async () => {
    const prompts = (await stage.daemon.hooks()).filter(({ path }) => path.endsWith("/user-prompt-submit"));
    assertEquals(prompts.map(({ body }) => String(body.userMessage).slice(0, 6)), ["OSPREY", "HERON:"]);
  });
}
