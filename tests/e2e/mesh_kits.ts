import { claudeCode } from "../../connectors/claude_code/harness.ts";
import { codex } from "../../connectors/codex/harness.ts";
import { gemini } from "../../connectors/gemini/harness.ts";
import * as claudeCodeRun from "./claude_code.ts";
import * as codexRun from "./codex.ts";
import * as geminiRun from "./gemini.ts";
import * as qwenRun from "./qwen.ts";
import { type MeshKit, playMesh } from "./mesh.ts";
import type { Scenario } from "./stage.ts";

const CLAUDE_ENV = {
  ANTHROPIC_API_KEY: "stub",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
};

export const claudeKit: MeshKit = {
  async furnish(stage) {
    await stage.userFile(".claude/settings.json", claudeCodeRun.settings(stage));
    // A screen asks about the theme, the folder and the key unless it has an answer.
    const state = {
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: ["stub"], rejected: [] },
      projects: { [stage.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    };
    await stage.userFile(".claude.json", JSON.stringify(state));
  },
  installFlags: [],
  ask: (stage, prompt) => claudeCodeRun.ask(stage, prompt, "--allowedTools", "Bash"),
  shell: (_request, command) => ({ name: "Bash", input: { command, description: "wait" } }),
  screen: (stage, prompt) => ({
    args: [prompt],
    env: { ...CLAUDE_ENV, ANTHROPIC_BASE_URL: stage.model.url, TERM: "xterm-256color" },
  }),
};

export const codexKit: MeshKit = {
  async furnish(stage) {
    const config = codexRun.config(stage).replace("model_auto_compact_token_limit = 5000\n", "");
    await stage.userFile(".codex/config.toml", config);
  },
  installFlags: ["--trust-hooks"],
  ask: (stage, prompt) => codexRun.ask(stage, ["--sandbox", "danger-full-access", prompt]),
  shell(request, command) {
    const [, name = "exec_command"] = /"name":"(exec_command|shell_command|shell)"/.exec(request.raw) ?? [];
    if (name === "shell") return { name, input: { command: ["sh", "-c", command] } };
    return { name, input: name === "exec_command" ? { cmd: command, yield_time_ms: 30_000 } : { command } };
  },
  screen: (_stage, prompt) => ({
    args: ["-m", "stub-1", prompt],
    env: { STUB_KEY: "stub", TERM: "xterm-256color" },
  }),
};

export const geminiKit: MeshKit = {
  furnish: (stage) => stage.userFile(".gemini/settings.json", geminiRun.settings(stage)),
  installFlags: ["--trust-tools"],
  ask: (stage, prompt) => geminiRun.ask(stage, prompt, "--approval-mode", "yolo"),
  shell: (_request, command) => ({ name: "run_shell_command", input: { command, description: "wait" } }),
};

export const qwenKit: MeshKit = {
  // With the version in it, Qwen Code leaves the file alone.
  furnish: (stage) =>
    stage.userFile(".qwen/settings.json", qwenRun.settings(stage).replace("{", '{ "$version": 4,')),
  installFlags: [],
  ask: (stage, prompt) => qwenRun.ask(stage, prompt),
  shell: (_request, command) => ({
    name: "run_shell_command",
    input: { command, description: "wait", is_background: false },
  }),
};

function mesh(scenario: Scenario, kit: MeshKit): Scenario {
  return { ...scenario, play: (stage) => playMesh(stage, kit) };
}

/** The harnesses that `deno task e2e --mesh` plays. */
export const MESH: readonly Scenario[] = [
  mesh({ ...claudeCodeRun.scenario, harness: claudeCode }, claudeKit),
  mesh({ ...codexRun.scenario, harness: codex }, codexKit),
  mesh({ ...geminiRun.scenario, harness: gemini }, geminiKit),
  mesh(qwenRun.scenario, qwenKit),
];
