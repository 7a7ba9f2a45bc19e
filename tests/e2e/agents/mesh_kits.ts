import { claudeCode } from "../../../connectors/claude_code/harness.ts";
import { codex } from "../../../connectors/codex/harness.ts";
import { DOORBELL } from "../../../hooks/agents/wake/doorbell.ts";
import { opencode } from "../../../connectors/opencode/harness.ts";
import { pi } from "../../../connectors/pi/harness.ts";
import { gemini } from "../../../connectors/gemini/harness.ts";
import * as claudeCodeRun from "../harnesses/claude_code.ts";
import * as codexRun from "../harnesses/codex.ts";
import * as copilotRun from "../harnesses/copilot.ts";
import * as geminiRun from "../harnesses/gemini.ts";
import * as kiloRun from "../harnesses/kilo.ts";
import * as kimiRun from "../harnesses/kimi.ts";
import * as ompRun from "../harnesses/omp.ts";
import * as openclawRun from "../harnesses/openclaw.ts";
import * as opencodeRun from "../harnesses/opencode.ts";
import * as piRun from "../harnesses/pi.ts";
import * as qwenRun from "../harnesses/qwen.ts";
import { playMesh } from "./mesh.ts";
import type { MeshKit, OpenScreen } from "./mesh_kit.ts";
import { playGatewayMesh, playScreen } from "./mesh_screens.ts";
import type { Screen } from "../screen.ts";
import type { Scenario, Stage } from "../stage.ts";
import { poll } from "../watch.ts";

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
  goesOn: true,
  ask: (stage, prompt) => claudeCodeRun.ask(stage, prompt, "--allowedTools", "Bash"),
  shell: (_request, command) => ({ name: "Bash", input: { command, description: "wait" } }),
  screen: claudeScreen,
  recovers: true,
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
  goesOn: true,
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
  recovers: true,
  ringDoorbell: (stage, session) =>
    stage.program(["queue", "--thread", session, "--message", DOORBELL], { env: { STUB_KEY: "stub" } }),
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
  goesOn: true,
  ask: (stage, prompt) => geminiRun.ask(stage, prompt, "--approval-mode", "yolo"),
  shell: (_request, command) => ({ name: "run_shell_command", input: { command, description: "wait" } }),
  asks: { open: geminiScreen, question: "Allow once", key: "Enter" },
  bell: geminiScreen,
};

export const opencodeKit: MeshKit = {
  async furnish(stage) {
    await stage.userFile(".config/opencode/opencode.jsonc", opencodeRun.config(stage));
    await opencodeRun.fetchedAlready(stage, opencodeRun.VERSION);
  },
  installFlags: [],
  goesOn: false,
  ask: (stage, prompt) => stage.program(["run", prompt], { env: opencodeRun.ENV, timeoutMs: 300_000 }),
  shell: (_request, command) => ({ name: "bash", input: { command, description: "wait" } }),
  screen: (_stage, prompt) => ({ args: ["--prompt", prompt], env: opencodeRun.ENV }),
};

export const piKit: MeshKit = {
  furnish: (stage) => stage.userFile(".pi/agent/models.json", piRun.models(stage)),
  installFlags: [],
  goesOn: false,
  ask: (stage, prompt) => piRun.ask(stage, prompt),
  shell: (_request, command) => ({ name: "bash", input: { command } }),
  screen: (_stage, prompt) => ({
    args: ["--provider", "stub", "--model", "stub-1", prompt],
    env: { PI_OFFLINE: "1" },
  }),
};

export const qwenKit: MeshKit = {
  // With the version in it, Qwen Code leaves the file alone.
  furnish: (stage) =>
    stage.userFile(".qwen/settings.json", qwenRun.settings(stage).replace("{", '{ "$version": 4,')),
  installFlags: [],
  goesOn: true,
  ask: (stage, prompt) => qwenRun.ask(stage, prompt),
  shell: (_request, command) => ({
    name: "run_shell_command",
    input: { command, description: "wait", is_background: false },
  }),
};

function copilotScreen(stage: Stage, prompt: string) {
  return { args: ["-i", prompt], env: { ...copilotRun.env(stage), TERM: "xterm-256color" } };
}

export const copilotKit: MeshKit = {
  async furnish(stage) {
    await stage.userFile(".copilot/hooks/mine.json", copilotRun.hooks(stage));
    // Without it the screen asks whether the folder is trusted.
    const trusted = JSON.stringify({ trustedFolders: [stage.project] });
    await Deno.writeTextFile(stage.at(".copilot/config.json"), trusted);
  },
  installFlags: [],
  goesOn: true,
  ask: (stage, prompt) => copilotRun.ask(stage, prompt),
  shell: (_request, command) => ({ name: "bash", input: { command, description: "wait" } }),
  subagent: (prompt) => ({
    name: "task",
    input: { description: "run it", prompt, agent_type: "task", name: "runner", mode: "sync" },
  }),
  asks: { open: copilotScreen, question: "Do you want to", key: "Enter" },
  bell: copilotScreen,
};

function kimiScreen(_stage: Stage, prompt: string) {
  const shows = (screen: Screen, text: string) => poll(() => screen.text(), (shown) => shown.includes(text));
  return {
    args: [],
    env: { TERM: "xterm-256color" },
    async begin(screen: Screen) {
      const isAsking = (shown: string) => /Trust this folder\?|Welcome to Kimi Code/.test(shown);
      const shown = await poll(() => screen.text(), isAsking);
      if (shown.includes("Trust this folder?")) await screen.enter("");
      await shows(screen, "Welcome to Kimi Code");
      await screen.enter(prompt);
    },
  };
}

export const kimiKit: MeshKit = {
  furnish: (stage) => stage.userFile(".kimi-code/config.toml", kimiRun.config(stage)),
  installFlags: [],
  goesOn: true,
  deafAfterTool: true,
  ask: (stage, prompt) => kimiRun.ask(stage, prompt),
  shell: (_request, command) => ({ name: "Bash", input: { command } }),
  subagent: (prompt) => ({ name: "Agent", input: { description: "run it", prompt, subagent_type: "coder" } }),
  asks: { open: kimiScreen, question: "Approve", key: "Enter" },
  bell: kimiScreen,
};

export const kiloKit: MeshKit = {
  async furnish(stage) {
    // A screen would ask whether to wait for its first snapshot of the project.
    const config = kiloRun.config(stage).replace("{", '{ "snapshot": false,');
    await stage.userFile(".config/kilo/kilo.json", config);
    await kiloRun.fetchedAlready(stage, kiloRun.VERSION);
  },
  installFlags: [],
  goesOn: false,
  ask: (stage, prompt) => kiloRun.ask(stage, prompt),
  shell: (_request, command) => ({ name: "bash", input: { command, description: "wait" } }),
};

const kiloScreen: OpenScreen = (_stage, prompt) => ({
  args: ["--prompt", prompt],
  env: { ...kiloRun.ENV, TERM: "xterm-256color" },
});

export const ompKit: MeshKit = {
  async furnish(stage) {
    await stage.userFile(".omp/agent/models.yml", ompRun.models(stage));
    // A screen would ask for a provider.
    await Deno.writeTextFile(stage.at(".omp/agent/config.yml"), "startup:\n  setupWizard: false\n");
  },
  installFlags: [],
  goesOn: false,
  ask: (stage, prompt) => ompRun.ask(stage, prompt),
  shell: (_request, command) => ({ name: "bash", input: { command } }),
  screen: (_stage, prompt) => ({
    args: ["--model", "stub/stub-1", prompt],
    env: { PI_OFFLINE: "1", TERM: "xterm-256color" },
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
  mesh({ ...opencodeRun.scenario, harness: opencode }, opencodeKit),
  mesh({ ...piRun.scenario, harness: pi }, piKit),
  mesh(qwenRun.scenario, qwenKit),
  { ...openclawRun.scenario, play: playGatewayMesh },
  mesh(copilotRun.scenario, copilotKit),
  mesh(kimiRun.scenario, kimiKit),
  mesh(kiloRun.scenario, kiloKit),
  {
    ...kiloRun.scenario,
    name: "kilo on a screen",
    play: (stage) => playScreen(stage, kiloKit, kiloScreen),
  },
  mesh(ompRun.scenario, ompKit),
];
