import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { kimi } from "../../../connectors/kimi/harness.ts";
import { callToolOnce, REPLY } from "../model/turn.ts";
import { NODE_24 } from "../node_24.ts";
import { type Package, programPath } from "../packages.ts";
import type { Ran } from "../process.ts";
import { answeredSession, Screen } from "../screen.ts";
import type { Scenario, Stage } from "../stage.ts";
import { endedOnce, memories, resumesWithMemory, userFileReached } from "../conversation_steps.ts";
import * as steps from "../steps.ts";
import { poll } from "../watch.ts";

const KIMI: Package = {
  name: "@moonshot-ai/kimi-code",
  version: "2.1.0",
  program: "@moonshot-ai/kimi-code/dist/main.mjs",
  ignoreScripts: true,
};

export function ask(stage: Stage, prompt: string, ...args: string[]): Promise<Ran> {
  return stage.program(["-p", prompt, ...args], { timeoutMs: 300_000 });
}

export function config(stage: Stage): string {
  return `# My Kimi Code
default_model = "stub"

[providers.stub]
type = "openai"
base_url = "${stage.model.url}/v1"   # on this machine
api_key = "stub"

[providers.old]
type = "openai"
base_url = "http://127.0.0.1:9/v1"
api_key = "stub"

[models.stub]
provider = "stub"
model = "stub-1"
max_context_size = 100000

# counts what I ask
[[hooks]]
event = "UserPromptSubmit"
command = ${JSON.stringify(stage.userHook("prompt"))}
`;
}

export const scenario: Scenario = {
  harness: kimi,
  packages: [KIMI, NODE_24],
  command: [programPath(NODE_24), programPath(KIMI)],

  async play(stage) {
    await stage.userFile(".kimi-code/config.toml", config(stage));
    await stage.userFile(".kimi-code/mcp.json", '{"mcpServers": {} }\n');
    await stage.userFile(".kimi-code/AGENTS.md", "# My own rules\n\nThink of the PELICAN.");
    await steps.fillDaemon(stage);
    await steps.install(stage);

    const tool = { name: "mcp__signet__memory_search", input: { query: steps.TOOL_QUERY } };
    stage.model.script = callToolOnce("OSPREY", tool);
    const first = await ask(stage, "OSPREY: what do I have in the morning?");
    await stage.check("the program answers, and ignores nothing in its config", () => {
      steps.answered(first);
      assert(!/ignored invalid/i.test(first.stderr), first.stderr);
    });
    const turns = [...stage.model.requests];
    await steps.userHooksRan(stage, { prompt: 1 });
    await steps.injectedOnce(stage, turns[0]);
    await steps.workspaceReached(stage, turns[0]);
    await userFileReached(stage, "AGENTS.md", turns[0]);
    await steps.toolReturnedMemory(stage, turns);
    await steps.checkpointArrived(stage, ["OSPREY", REPLY]);
    await stage.check("the daemon gets the prompt, which comes as a list", async () => {
      const hooks = await stage.daemon.hooks();
      const prompt = hooks.find(({ path }) => path.endsWith("/user-prompt-submit"));
      assertEquals(prompt?.body.userMessage, "OSPREY: what do I have in the morning?");
    });

    await resumesWithMemory(stage, (prompt) => ask(stage, prompt, "--continue"));
    await onScreen(stage);
    // `kimi -p` sent no end: the start of the screen ended that session.
    await steps.transcriptArrived(stage, ["OSPREY", "WIGEON", REPLY]);
    await steps.daemonRecorded(stage, [
      "session-start",
      "user-prompt-submit",
      "pre-compaction",
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
    await rewritesConfig(stage);
  },
};

/** What only the screen does: a compaction, and an end. */
async function onScreen(stage: Stage): Promise<void> {
  await using screen = await Screen.open(stage, [], {});
  const shows = async (text: string) => {
    const shown = await poll(() => screen.text(), (found) => found.includes(text));
    assertStringIncludes(shown, text);
  };
  const asks = async (prompt: string) => {
    stage.model.requests.length = 0;
    await screen.enter(prompt);
    const key = await answeredSession(stage, prompt);
    assert(key !== undefined, await screen.text());
    // Until its Stop hook has ended, it accepts no command.
    const place = { host: { os: "linux", env: () => undefined }, home: stage.home } as const;
    const wire = kimi.findTranscript?.(key, place) ?? "";
    const turn = async () => (await Deno.readTextFile(wire)).split(prompt).at(-1) ?? "";
    assertStringIncludes(await poll(turn, (text) => text.includes("prompt.completed")), "prompt.completed");
    return key;
  };
  let key: string | undefined;
  await stage.check("after a compaction the next prompt brings the memory back, once", async () => {
    await shows("Trust this folder?");
    await screen.enter("");
    await shows("Welcome to Kimi Code");
    key = await asks("HERON: hello");
    assertEquals(memories(stage.model.requests.at(-1)), 1);
    await screen.enter("/compact");
    await shows("Compaction complete");
    for (const prompt of ["EGRET: and now?", "BITTERN: and then?"]) {
      await asks(prompt);
      assertEquals(memories(stage.model.requests.at(-1)), 1, prompt);
    }
  });
  await stage.check("/exit ends the session, with its transcript", async () => {
    await screen.enter("/exit");
    await endedOnce(stage, key, ["HERON", "EGRET", REPLY]);
  });
}

/** `kimi provider remove` writes the whole file anew. Uninstall leaves what it makes of the file without us. */
async function rewritesConfig(stage: Stage): Promise<void> {
  const path = ".kimi-code/config.toml";
  const remove = () => stage.program(["provider", "remove", "old"]);
  await stage.check("our hooks are recognised after Kimi Code has rewritten its config", async () => {
    steps.succeeded(await remove());
    const text = await stage.read(path) ?? "";
    assert(!text.includes("providers.old"), "it was not rewritten");
    assertStringIncludes((await stage.connector("doctor")).stdout, "All 6 entries are in the config");
  });
  let kept = "";
  await steps.uninstall(stage, () => ask(stage, "STORK: still there?"), {
    [path]: (_, after) => void (kept = after),
  });
  await stage.check("(7) the config is what Kimi Code makes of it without us", async () => {
    await Deno.writeTextFile(stage.at(path), config(stage));
    steps.succeeded(await remove());
    assertEquals(kept, await stage.read(path));
  });
  await steps.printsVersion(stage);
}
