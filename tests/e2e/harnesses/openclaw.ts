import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openclaw } from "../../../connectors/openclaw/harness.ts";
import { offersTools, toConversation } from "../model/main_requests.ts";
import { callToolOnce, type ModelRequest, REPLY, sayPlainly } from "../model/turn.ts";
import { NODE_24 } from "../node_24.ts";
import { Gateway, TOKEN } from "./openclaw_gateway.ts";
import { type Package, programPath } from "../packages.ts";
import type { Ran } from "../process.ts";
import type { Scenario, Stage } from "../stage.ts";
import { endsKilledSessions } from "../killed.ts";
import { Screen } from "../screen.ts";
import * as steps from "../steps.ts";
import { poll } from "../watch.ts";

const OPENCLAW: Package = {
  name: "openclaw",
  version: "2026.9.6",
  program: "openclaw/openclaw.mjs",
  ignoreScripts: true,
};

/** Through the gateway, or with `--local` without one. */
export function ask(stage: Stage, message: string, ...args: string[]): Promise<Ran> {
  return stage.program(["agent", "--agent", "main", ...args, "--message", message], {
    env: { OPENCLAW_GATEWAY_TOKEN: TOKEN },
    timeoutMs: 300_000,
  });
}

function conversation(stage: Stage): ModelRequest[] {
  return stage.model.requests.filter(offersTools);
}

export function config(stage: Stage, port: number, defaults = ""): string {
  return `{
  // My OpenClaw: JSON5, with the keys that I like bare
  gateway: { mode: 'local', port: ${port}, bind: 'loopback', auth: { mode: 'token', token: '${TOKEN}' } },
  update: { checkOnStart: false },
  plugins: {
    entries: {
      mine: { enabled: true, hooks: { allowConversationAccess: true } }, // counts what I ask
    },
  },
  agents: { defaults: { model: { primary: 'stub/stub-1' }, skipBootstrap: true${defaults} } },
  models: {
    providers: {
      stub: {
        baseUrl: '${stage.model.url}/v1', apiKey: 'stub', api: 'openai-completions',
        models: [{ id: 'stub-1', name: 'Stub', reasoning: false, input: ['text'], contextWindow: 100000,
          maxTokens: 4096, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }],
      },
    },
  },
}
`;
}

/** A plugin of the user's own, beside ours. */
async function userPlugin(stage: Stage): Promise<void> {
  const dir = ".openclaw/extensions/mine";
  const manifest = {
    id: "mine",
    name: "Mine",
    activation: { onStartup: true },
    configSchema: { type: "object", additionalProperties: false, properties: {} },
  };
  await stage.userFile(`${dir}/openclaw.plugin.json`, JSON.stringify(manifest));
  await stage.userFile(
    `${dir}/package.json`,
    '{"name":"mine","version":"1.0.0","type":"module","openclaw":{"extensions":["./index.js"]}}',
  );
  await stage.userFile(
    `${dir}/index.js`,
    `import { execSync } from "node:child_process";
export default { id: "mine", name: "Mine", register(api) {
  api.on("before_prompt_build", () => { execSync(${JSON.stringify(stage.userHook("prompt"))}); });
} };
`,
  );
}

const TOOL = {
  name: "tool_call",
  input: { id: "signet__memory_search", args: { query: steps.TOOL_QUERY } },
};

export const scenario: Scenario = {
  harness: openclaw,
  packages: [OPENCLAW, NODE_24],
  command: [programPath(NODE_24), programPath(OPENCLAW)],

  async play(stage) {
    const port = Gateway.freePort();
    await stage.userFile(".openclaw/openclaw.json", config(stage, port));
    await userPlugin(stage);
    await steps.fillDaemon(stage);
    await steps.install(stage);
    const valid = await stage.program(["config", "validate"]);
    await stage.check("OpenClaw finds the config valid", () => steps.succeeded(valid));

    {
      await using gateway = await Gateway.start(stage, port);
      stage.model.script = toConversation(callToolOnce("OSPREY", TOOL));
      const first = await ask(stage, "OSPREY: what do I have in the morning?");
      await stage.check("the program answers through its gateway", () => steps.answered(first));
      const turns = conversation(stage);
      await steps.userHooksRan(stage, { prompt: 1 });
      await steps.injectedOnce(stage, turns[0]);
      await steps.workspaceReached(stage, turns[0]);
      await steps.toolReturnedMemory(stage, turns);

      await startsAnew(stage);
      await compacts(stage);
      await steps.daemonRecorded(stage, [
        "session-start",
        "user-prompt-submit",
        "pre-compaction",
        "compaction-complete",
        "session-end",
      ]);
      await steps.survivesDeadDaemon(stage, async () => {
        const ran = await ask(stage, "PLOVER: are you there?");
        await ask(stage, "/new");
        return ran;
      });
      await steps.fillDaemon(stage);
      await endsWithGateway(stage, gateway);
    }
    await endsInWindow(stage, port);
    await withoutGateway(stage);
    await asInternalHook(stage);
    await steps.uninstall(stage, () => ask(stage, "STORK: still there?", "--local"));
    await steps.printsVersion(stage);
  },
};

/** `/new` ends a session with its transcript; what follows has another key, though OpenClaw keeps the id. */
async function startsAnew(stage: Stage): Promise<void> {
  stage.model.script = sayPlainly;
  await ask(stage, "/new");
  await steps.transcriptArrived(stage, ["OSPREY", REPLY]);
  stage.model.requests.length = 0;
  const after = await ask(stage, "WIGEON: and now?");
  await stage.check("the program answers after /new", () => steps.answered(after));
  await steps.injectedOnce(stage, conversation(stage)[0], ", after /new too");
  await stage.check("what follows /new is another session", async () => {
    assertEquals(steps.sessionKeys(await stage.daemon.hooks()).length, 2);
  });
}

/** The summary is in no event: it comes with the next prompt. */
async function compacts(stage: Stage): Promise<void> {
  const compacted = await stage.program(["sessions", "compact", "agent:main:main"], {
    env: { OPENCLAW_GATEWAY_TOKEN: TOKEN },
  });
  await stage.check("OpenClaw compacts", () => steps.succeeded(compacted));
  stage.model.requests.length = 0;
  await ask(stage, "EGRET: and now?");
  await steps.injectedOnce(stage, conversation(stage)[0], ", after a compaction too");
}

/** OpenClaw gives all plugins together two seconds when it stops. */
async function endsWithGateway(stage: Stage, gateway: Gateway): Promise<void> {
  await ask(stage, "TURNSTONE: one last thing");
  await gateway.stop();
  await steps.transcriptArrived(stage, ["TURNSTONE", REPLY]);
}

/** A gateway in a window. OpenClaw's own screen is only a view of it, and without a gateway it loads no plugin. */
async function endsInWindow(stage: Stage, port: number): Promise<void> {
  const another = () => ["--session-key", `agent:main:${crypto.randomUUID()}`];
  await endsKilledSessions(stage, {
    async open(prompt) {
      const screen = await Screen.open(stage, ["gateway", "run"], {});
      await Gateway.isUp(port, true);
      await ask(stage, prompt, ...another());
      return screen;
    },
    async ask(prompt) {
      await Gateway.isUp(port, false);
      await using _gateway = await Gateway.start(stage, port);
      return await ask(stage, prompt, ...another());
    },
    // `endsWithGateway` covers SIGTERM, and a gateway takes its time to start.
  }, ["closed window", "SIGKILL"]);
}

/** `--local` has no session events, so each turn is checkpointed. */
async function withoutGateway(stage: Stage): Promise<void> {
  stage.model.requests.length = 0;
  const local = await ask(stage, "LAPWING: alone?", "--local");
  await stage.check("the program answers without its gateway", () => steps.answered(local));
  await steps.injectedOnce(stage, conversation(stage)[0], ", without the gateway too");
  await stage.check("a turn without the gateway is checkpointed with what was said", async () => {
    const points = await poll(
      async () => (await stage.daemon.hooks()).filter((hook) => hook.path.endsWith("checkpoint-extract")),
      (found) => found.length > 0,
    );
    const transcript = String(points.at(-1)?.body.transcript);
    assert(transcript.includes("LAPWING") && transcript.includes(REPLY), transcript);
    assertEquals(steps.occurrences(transcript, steps.PROMPT_MARK), 0);
  });
}

/** `--legacy-hooks` takes the plugin's place; status then says what is missing. */
async function asInternalHook(stage: Stage): Promise<void> {
  await steps.install(stage, "--legacy-hooks");
  await stage.check(
    "the internal hook is valid config, replaces the plugin, and counts as degraded",
    async () => {
      steps.succeeded(await stage.program(["config", "validate"]));
      const listed = await stage.program(["hooks", "list"]);
      assertStringIncludes(listed.stdout, "signet-connector");
      assertEquals(await stage.read(".openclaw/extensions/signet-connector/index.js"), undefined);
      const status = await stage.connector("status");
      assertStringIncludes(status.stdout + status.stderr, "degraded");
    },
  );
}
