import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { copilot } from "../../../connectors/copilot/harness.ts";
import { offersTools } from "../model/main_requests.ts";
import { callToolOnce, type ModelRequest, REPLY, sayPlainly } from "../model/turn.ts";
import { cacheDir, type Package } from "../packages.ts";
import type { Ran } from "../process.ts";
import { answeredSession, Screen } from "../screen.ts";
import type { Scenario, Stage } from "../stage.ts";
import { endsKilledSessions } from "../killed.ts";
import * as steps from "../steps.ts";
import { poll } from "../watch.ts";

export const COPILOT: Package = {
  name: "@github/copilot",
  version: "1.0.102",
  program: "@github/copilot-linux-x64/copilot",
};

export function env(stage: Stage): Record<string, string> {
  const version = stage.scenario.packages[0]?.version ?? "";
  return {
    COPILOT_PROVIDER_BASE_URL: `${stage.model.url}/v1`,
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_API_KEY: "stub",
    COPILOT_MODEL: "stub-1",
    COPILOT_OFFLINE: "true",
    // The program unpacks 235 MB of itself there at its first start, and then runs the newest version that it finds.
    XDG_CACHE_HOME: join(cacheDir(), `copilot-unpacked-${version}`),
  };
}

export function ask(stage: Stage, prompt: string, ...args: string[]): Promise<Ran> {
  return stage.program(["-p", prompt, "--allow-all-tools", ...args], {
    env: env(stage),
    timeoutMs: 300_000,
  });
}

/** A hooks file of the user's own, beside ours. */
export function hooks(stage: Stage): string {
  const hook = (name: string) => [{ type: "command", bash: stage.userHook(name), timeoutSec: 5 }];
  return JSON.stringify({
    version: 1,
    hooks: { userPromptSubmitted: hook("prompt"), sessionEnd: hook("end") },
  });
}

export const SERVERS = `{
  // a server of mine
  "mcpServers": {
    "notes": { "type": "local", "command": "/bin/false", "args": [], "tools": ["none"] }
  }
}
`;

export const scenario: Scenario = {
  harness: copilot,
  packages: [COPILOT],

  async play(stage) {
    await stage.userFile(".copilot/hooks/mine.json", hooks(stage));
    await stage.userFile(".copilot/mcp-config.json", SERVERS);
    await stage.userFile(".copilot/copilot-instructions.md", "# My own rules\n\nThink of the PELICAN.");
    // Without it the screen asks whether the folder is trusted.
    const trusted = JSON.stringify({ trustedFolders: [stage.project] });
    await Deno.writeTextFile(stage.at(".copilot/config.json"), trusted);
    await steps.fillDaemon(stage);
    await steps.install(stage);

    const tool = { name: "signet-memory_search", input: { query: steps.TOOL_QUERY } };
    stage.model.script = callToolOnce("OSPREY", tool);
    const first = await ask(stage, "OSPREY: what do I have in the morning?");
    await stage.check("the program answers", () => steps.answered(first));
    const turns = [...stage.model.requests];
    await steps.userHooksRan(stage, { prompt: 1, end: 1 });
    await steps.injectedOnce(stage, turns[0]);
    await steps.workspaceReached(stage, turns[0]);
    await stage.check("the user's copilot-instructions.md still reaches the model", () => {
      assertEquals(steps.occurrences(turns[0]?.raw ?? "", "PELICAN"), 1);
    });
    await steps.toolReturnedMemory(stage, turns);
    await steps.transcriptArrived(stage, ["OSPREY", REPLY]);

    stage.model.script = sayPlainly;
    stage.model.requests.length = 0;
    const resumed = await ask(stage, "WIGEON: and now?", "--continue");
    await stage.check("in a resumed session the model has its memory once", () => {
      steps.answered(resumed);
      assertEquals(memories(stage.model.requests[0]), 1);
    });
    await compacts(stage);
    await steps.daemonRecorded(stage, [
      "session-start",
      "user-prompt-submit",
      "pre-compaction",
      "session-end",
    ]);
    await endsKilledSessions(stage, {
      open: (prompt) => Screen.open(stage, ["-i", prompt], env(stage)),
      ask: (prompt) => ask(stage, prompt),
    });

    await steps.doctorIsContent(stage);
    await steps.survivesDeadDaemon(stage, () => ask(stage, "PLOVER: are you there?"));
    await steps.survivesHangingDaemon(stage, () => ask(stage, "TEAL: are you there?"));
    await rewritesServers(stage);
    await steps.uninstall(stage, () => ask(stage, "STORK: still there?"), {
      ".copilot/mcp-config.json": (before, after) => {
        // Copilot CLI's own form: no comments, two spaces, its order of keys.
        const { mcpServers: { notes } } = JSON.parse(before.replace(/^\s*\/\/.*$/m, ""));
        const { command, args, tools, type } = notes;
        const added = { tools: ["*"], type: "local", command: "/bin/true", args: [] };
        const mcpServers = { notes: { tools, type, command, args }, added };
        assertEquals(after.trimEnd(), JSON.stringify({ mcpServers }, null, 2));
      },
    });
    await steps.userHooksRan(stage, { prompt: 3 });
    await steps.printsVersion(stage, env(stage));
  },
};

function memories(request: ModelRequest | undefined): number {
  return steps.occurrences(request?.raw ?? "", steps.SESSION_MARK);
}

/** A compaction in an open session drops the start text; the next prompt brings it back, once. */
async function compacts(stage: Stage): Promise<void> {
  await using screen = await Screen.open(stage, ["-i", "HERON: hello"], env(stage));
  const said = async (prompt: string) => {
    stage.model.requests.length = 0;
    await screen.enter(prompt);
    // A side request, such as one for a title, repeats the prompt and has no memory.
    const asked = () => stage.model.requests.find((each) => offersTools(each) && each.raw.includes(prompt));
    return await poll(() => Promise.resolve(asked()), (request) => request !== undefined);
  };
  await stage.check("after a compaction the next prompt brings the memory back, once", async () => {
    assert(await answeredSession(stage, "HERON") !== undefined, await screen.text());
    stage.model.requests.length = 0;
    await screen.enter("/compact");
    const text = await poll(() => screen.text(), (shown) => shown.includes("Compaction completed"));
    assertStringIncludes(text, "Compaction completed");
    assertEquals(memories(await said("EGRET: and now?")), 1, await screen.text());
    const second = await said("BITTERN: and then?");
    assertEquals(memories(second), 1, "the second prompt after it");
  });
}

/** `copilot mcp add` writes the whole file anew, with our entry in another form. */
async function rewritesServers(stage: Stage): Promise<void> {
  await stage.check("our server is recognised after Copilot CLI has rewritten the file", async () => {
    steps.succeeded(
      await stage.program(["mcp", "add", "added", "--", "/bin/true"], { env: env(stage) }),
    );
    const text = await stage.read(".copilot/mcp-config.json") ?? "";
    assert(!text.includes("a server of mine"), "it was not rewritten");
    assertStringIncludes((await stage.connector("doctor")).stdout, "All 6 entries are in the config");
  });
}
