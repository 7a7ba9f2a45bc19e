import { claudeCode } from "../../connectors/claude_code/harness.ts";
import { codex } from "../../connectors/codex/harness.ts";
import { gemini } from "../../connectors/gemini/harness.ts";
import * as claudeCodeRun from "./claude_code.ts";
import * as codexRun from "./codex.ts";
import * as geminiRun from "./gemini.ts";
import { type MeshKit, playMesh } from "./mesh.ts";
import type { Scenario, Stage } from "./stage.ts";

const CLAUDE_ENV = {
  ANTHROPIC_API_KEY: "stub",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
};

function claudeScreen(stage: Stage, prompt: string) {
  const env = { ...CLAUDE_ENV, ANTHROPIC_BASE_URL: stage.model.url, TERM: "xterm-256color" };
  return { args: [prompt], env };
}

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
  // Claude Code gives the model the reason of a Stop hook as feedback and as an error.
  copiesAtTurnEnd: 2,
  shell: (_request, command) => ({ name: "Bash", input: { command, description: "wait" } }),
  screen: claudeScreen,
  asks: {
    open: (stage, prompt) => ({
      ...claudeScreen(stage, prompt),
      args: ["--permission-mode", "default", prompt],
    }),
    question: "Do you want to proceed?",
    key: "Enter",
  },
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
  asks: {
    open: (_stage, prompt) => ({
      args: ["-m", "stub-1", "--ask-for-approval", "on-request", prompt],
      env: { STUB_KEY: "stub", TERM: "xterm-256color" },
    }),
    input: { sandbox_permissions: "require_escalated", justification: "May I?" },
    question: "Would you like to run",
    key: "y",
  },
};

function geminiScreen(stage: Stage, prompt: string) {
  return {
    args: ["--model", "gemini-2.5-flash", "-i", prompt],
    env: {
      GEMINI_API_KEY: "stub",
      GOOGLE_GEMINI_BASE_URL: stage.model.url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      TERM: "xterm-256color",
    },
  };
}

export const geminiKit: MeshKit = {
  furnish: (stage) => stage.userFile(".gemini/settings.json", geminiRun.settings(stage)),
  installFlags: ["--trust-tools"],
  ask: (stage, prompt) => geminiRun.ask(stage, prompt, "--approval-mode", "yolo"),
  shell: (_request, command) => ({ name: "run_shell_command", input: { command, description: "wait" } }),
  asks: { open: geminiScreen, question: "Allow once", key: "Enter" },
  bell: geminiScreen,
};

function mesh(scenario: Scenario, kit: MeshKit): Scenario {
  return { ...scenario, play: (stage) => playMesh(stage, kit) };
}

/** The harnesses that `deno task e2e --mesh` plays. */
export const MESH: readonly Scenario[] = [
  mesh({ ...claudeCodeRun.scenario, harness: claudeCode }, claudeKit),
  mesh({ ...codexRun.scenario, harness: codex }, codexKit),
  mesh({ ...geminiRun.scenario, harness: gemini }, geminiKit),
];
