import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { gemini } from "../../../connectors/gemini/harness.ts";
import { offersTools, toConversation } from "../model/main_requests.ts";
import { callToolOnce, type ModelRequest, REPLY, sayPlainly } from "../model/turn.ts";
import { type Package, programPath } from "../packages.ts";
import type { Ran } from "../process.ts";
import type { Scenario, Stage } from "../stage.ts";
import { endsKilledSessions } from "../killed.ts";
import { Screen } from "../screen.ts";
import * as steps from "../steps.ts";
import { poll } from "../watch.ts";

const GEMINI: Package = {
  name: "@google/gemini-cli",
  version: "0.61.0",
  program: "@google/gemini-cli/bundle/gemini.js",
};

export function ask(stage: Stage, prompt: string, ...args: string[]): Promise<Ran> {
  return stage.program(["--model", "gemini-2.5-flash", ...args, "-p", prompt], {
    env: {
      GEMINI_API_KEY: "stub",
      GOOGLE_GEMINI_BASE_URL: stage.model.url,
      // Older versions do not know --skip-trust.
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    },
    timeoutMs: 300_000,
  });
}

export function conversation(stage: Stage): ModelRequest[] {
  return stage.model.requests.filter(offersTools);
}

export function settings(stage: Stage): string {
  const hook = (name: string) => `{ "type": "command", "command": ${JSON.stringify(stage.userHook(name))} }`;
  return `{
  // My Gemini CLI
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
  "privacy": { "usageStatisticsEnabled": false },
  "hooks": {
    "BeforeAgent": [ { "hooks": [ ${hook("agent")} ] } ], // counts what I ask
    "SessionEnd": [{"hooks": [${hook("end")}]}]
  },
  "mcpServers": {}
}
`;
}

export const scenario: Scenario = {
  harness: gemini,
  packages: [GEMINI],
  command: ["node", programPath(GEMINI)],

  async play(stage) {
    await stage.userFile(".gemini/settings.json", settings(stage));
    await stage.userFile(".gemini/GEMINI.md", "# My own rules\n\nThink of the PELICAN.");
    await steps.fillDaemon(stage);
    await steps.install(stage, "--trust-tools");

    const tool = { name: "mcp_signet_memory_search", input: { query: steps.TOOL_QUERY } };
    stage.model.script = toConversation(callToolOnce("OSPREY", tool));
    const first = await ask(stage, "OSPREY: what do I have in the morning?");
    await stage.check("the program answers", () => steps.answered(first));
    const turns = conversation(stage);
    await steps.userHooksRan(stage, { agent: 1, end: 1 });
    await steps.injectedOnce(stage, turns[0]);
    await steps.workspaceReached(stage, turns[0]);
    await stage.check("the user's GEMINI.md still reaches the model", () => {
      assertEquals(steps.occurrences(turns[0]?.raw ?? "", "PELICAN"), 1);
    });
    await steps.toolReturnedMemory(stage, turns);
    await steps.transcriptArrived(stage, ["OSPREY", REPLY]);
    await stage.check("the prompt reaches the daemon without Gemini's own wrapping", async () => {
      const hooks = await stage.daemon.hooks();
      const prompt = hooks.find((hook) => hook.path.endsWith("/user-prompt-submit"));
      const words = String(prompt?.body.userMessage ?? prompt?.body.userPrompt);
      assertStringIncludes(words, "OSPREY");
      assert(!words.includes("hook_context"), words);
    });

    stage.model.script = sayPlainly;
    stage.model.requests.length = 0;
    const resumed = await ask(stage, "WIGEON: and now?", "--resume", "latest");
    await stage.check("in a resumed session the model has its memory once", () => {
      steps.answered(resumed);
      const request = conversation(stage)[0];
      assertEquals(steps.occurrences(request?.raw ?? "", steps.SESSION_MARK), 1);
    });
    await replays(stage);
    await steps.daemonRecorded(stage, ["session-start", "user-prompt-submit", "session-end"]);

    await endsKilledSessions(stage, {
      open: (prompt) =>
        Screen.open(stage, ["--skip-trust", "--model", "gemini-2.5-flash", "-i", prompt], {
          GEMINI_API_KEY: "stub",
          GOOGLE_GEMINI_BASE_URL: stage.model.url,
        }),
      ask: (prompt) => ask(stage, prompt),
    });

    await steps.survivesDeadDaemon(stage, () => ask(stage, "PLOVER: are you there?"));
    await steps.uninstall(stage, () => ask(stage, "STORK: still there?"));
    await steps.userHooksRan(stage, { agent: 2, end: 2 });
  },
};

/** What only Gemini's screen does, `/clear` and `/quit`, with the stdin that it was seen to give. */
async function replays(stage: Stage): Promise<void> {
  const session_id = "6f1f4f6e-0000-4000-8000-00000000c1ea";
  const hook = async (event: string, hook_event_name: string, extra: Record<string, unknown>) => {
    const base = { session_id, transcript_path: "", cwd: stage.project, hook_event_name };
    const timestamp = new Date().toISOString();
    const ran = await stage.exec(stage.at(".local/bin/signet-gemini"), ["hook", event], {
      stdin: JSON.stringify({ ...base, timestamp, ...extra }),
    });
    steps.succeeded(ran);
    return ran.stdout;
  };
  await stage.check(
    "(replayed) after /clear the first prompt brings the session's text, and only that one",
    async () => {
      assertEquals(await hook("session-start", "SessionStart", { source: "clear" }), "");
      const said = [];
      for (const prompt of ["DUNLIN: hello", "DUNLIN: again"]) {
        said.push(await hook("user-prompt-submit", "BeforeAgent", { prompt }));
      }
      assertEquals(said.map((text) => steps.occurrences(text, steps.SESSION_MARK)), [1, 0]);
      assertEquals(said.map((text) => steps.occurrences(text, steps.PROMPT_MARK)), [1, 1]);
    },
  );
  await stage.check("(replayed) a SessionEnd that comes twice, as on /quit, counts once", async () => {
    for (let time = 0; time < 2; time++) await hook("session-end", "SessionEnd", { reason: "exit" });
    const ends = await poll(
      async () => (await stage.daemon.hooks()).filter((each) => each.path.endsWith("/session-end")),
      (found) => found.some((each) => each.body.sessionKey === session_id),
    );
    const keys = ends.map((each) => String(each.headers["idempotency-key"]));
    assertEquals(keys.length, new Set(keys).size, "one key each");
  });
}
