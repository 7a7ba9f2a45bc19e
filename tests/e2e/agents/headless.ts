/** `deno task e2e --start`: `send --start` runs the real programs, and their answer is the reply. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as claudeCodeRun from "../harnesses/claude_code.ts";
import * as codexRun from "../harnesses/codex.ts";
import * as geminiRun from "../harnesses/gemini.ts";
import { REPLY, sayPlainly } from "../model/turn.ts";
import * as opencodeRun from "../harnesses/opencode.ts";
import * as piRun from "../harnesses/pi.ts";
import type { Scenario, Stage } from "../stage.ts";

interface Kit {
  /** The user's config, which names the model stub. */
  furnish(stage: Stage): Promise<void>;
  env(stage: Stage): Record<string, string>;
  /** What the user wants every such run to have: `start` in agents.json. */
  readonly args?: readonly string[];
}

const MARK = "SANDPIPER";

function headless(scenario: Scenario, kit: Kit): Scenario {
  return { ...scenario, play: (stage) => play(stage, kit) };
}

async function play(stage: Stage, kit: Kit): Promise<void> {
  const { id, displayName } = stage.scenario.harness;
  await kit.furnish(stage);
  const policy = JSON.stringify({ start: { [id]: kit.args ?? [] } });
  await stage.userFile(".config/signet/agents.json", policy);
  stage.model.script = sayPlainly;
  const send = (text: string, ...flags: string[]) =>
    stage.connectorWith(kit.env(stage), "send", id, "--start", ...flags, text);
  await stage.check(`send --start runs ${displayName} and prints its answer`, async () => {
    const { code, stdout, stderr } = await send(`${MARK}: say it plainly`);
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout, REPLY);
    assert(stage.model.requests.some(({ raw }) => raw.includes(MARK)), "the model has the message");
  });
  await stage.check("send --start takes the longest message", async () => {
    await Deno.writeTextFile(stage.at("long.txt"), `${MARK} ${"long ".repeat(12_000)}`);
    const { code, stdout, stderr } = await stage.connectorWith(
      kit.env(stage),
      ...["send", id, "--start", "--file", stage.at("long.txt")],
    );
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout, REPLY);
  });
}

/** The harnesses that `deno task e2e --start` plays. */
export const HEADLESS: readonly Scenario[] = [
  headless(claudeCodeRun.scenario, {
    furnish: (stage) => stage.userFile(".claude.json", claudeCodeRun.state(stage)),
    env: claudeCodeRun.env,
  }),
  headless(codexRun.scenario, {
    furnish: (stage) =>
      stage.userFile(
        ".codex/config.toml",
        codexRun.config(stage).replace("model_auto_compact_token_limit = 5000\n", ""),
      ),
    env: () => ({ STUB_KEY: "stub" }),
    args: ["--skip-git-repo-check"],
  }),
  headless(geminiRun.scenario, {
    furnish: (stage) => stage.userFile(".gemini/settings.json", geminiRun.settings(stage)),
    env: (stage) => ({
      GEMINI_API_KEY: "stub",
      GOOGLE_GEMINI_BASE_URL: stage.model.url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
    args: ["--model", "gemini-2.5-flash"],
  }),
  headless(opencodeRun.scenario, {
    furnish: (stage) => stage.userFile(".config/opencode/opencode.jsonc", opencodeRun.config(stage)),
    env: () => opencodeRun.ENV,
  }),
  headless(piRun.scenario, {
    furnish: (stage) => stage.userFile(".pi/agent/models.json", piRun.models(stage)),
    env: () => ({ PI_OFFLINE: "1" }),
    args: ["--provider", "stub", "--model", "stub-1"],
  }),
];
