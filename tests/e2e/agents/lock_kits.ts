import * as claudeCodeRun from "../harnesses/claude_code.ts";
import * as codexRun from "../harnesses/codex.ts";
import * as copilotRun from "../harnesses/copilot.ts";
import * as geminiRun from "../harnesses/gemini.ts";
import * as kimiRun from "../harnesses/kimi.ts";
import * as qwenRun from "../harnesses/qwen.ts";
import type { ModelRequest } from "../model/turn.ts";
import type { Scenario } from "../stage.ts";
import {
  addingPatch,
  BEFORE,
  editing,
  editingNotebook,
  patch,
  shellElsewhere,
  shellTools,
  type ToolCall,
  writing,
} from "./editing_tools.ts";
import { type LockKit, withLocks } from "./locks.ts";
import { claudeKit, codexKit, copilotKit, geminiKit, kimiKit, qwenKit } from "./mesh_kits.ts";
import { PLUGIN_LOCKS } from "./plugin_lock_kits.ts";

const claudeRead = (path: string): ToolCall => ({ name: "Read", input: { file_path: path } });

const claude: LockKit = {
  ...claudeKit,
  reading: (path) => [
    claudeRead(path),
    { name: "Glob", input: { pattern: "*.txt" } },
    { name: "Grep", input: { pattern: "one" } },
  ],
  mcp: [{ name: "mcp__signet__memory_search", input: { query: "birds" } }],
  ask: (stage, prompt) =>
    claudeCodeRun.ask(
      stage,
      prompt,
      "--allowedTools",
      "Bash,Read,Glob,Grep,Write,Edit,MultiEdit,NotebookEdit",
    ),
  tools: [
    ...writing("Write", (file_path) => ({ file_path, content: "changed\n" }), claudeRead),
    editing("Edit", (file_path) => ({ file_path, old_string: "one", new_string: "1" }), claudeRead),
    {
      title: "MultiEdit",
      before: BEFORE,
      first: claudeRead,
      call: (file_path, { raw }) =>
        raw.includes('"name":"MultiEdit"')
          ? { name: "MultiEdit", input: { file_path, edits: [{ old_string: "one", new_string: "1" }] } }
          : undefined,
    },
    editingNotebook("NotebookEdit", claudeRead),
    ...shellTools(claudeKit.shell),
  ],
};

/** A call of Codex's apply_patch, whose input is a text and not JSON. */
function codexPatch(text: string, { raw }: ModelRequest): ToolCall | undefined {
  return raw.includes('"name":"apply_patch"') ? { name: "apply_patch", input: {}, text } : undefined;
}

const codex: LockKit = {
  ...codexKit,
  // Codex offers apply_patch only to models that it knows.
  ask: (stage, prompt) => codexRun.ask(stage, ["--sandbox", "danger-full-access", "-m", "gpt-5.5", prompt]),
  tools: [
    { title: "apply_patch", before: BEFORE, call: (path, request) => codexPatch(patch(path), request) },
    {
      title: "apply_patch in a shell",
      before: BEFORE,
      call: (path, request) => codexKit.shell(request, `apply_patch <<'EOF'\n${patch(path)}EOF`),
    },
    {
      title: "apply_patch that adds a file",
      call: (path, request) => codexPatch(addingPatch(path), request),
    },
    ...shellTools(codexKit.shell),
    shellElsewhere("exec_command", (cmd, workdir) => ({ cmd, workdir, yield_time_ms: 30_000 })),
  ],
};

const gemini: LockKit = {
  ...geminiKit,
  reading: (path, project) => [
    { name: "read_file", input: { file_path: path } },
    { name: "list_directory", input: { dir_path: project } },
    { name: "glob", input: { pattern: "*.txt" } },
    { name: "grep_search", input: { pattern: "one" } },
  ],
  mcp: [{ name: "mcp_signet_memory_search", input: { query: "birds" } }],
  tools: [
    ...writing("write_file", (file_path) => ({ file_path, content: "changed\n" })),
    editing("replace", (file_path) => ({
      file_path,
      instruction: "count",
      old_string: "line one",
      new_string: "line 1",
    })),
    ...shellTools(geminiKit.shell),
    shellElsewhere("run_shell_command", (command, dir_path) => ({ command, description: "write", dir_path })),
  ],
};

const qwenRead = (path: string): ToolCall => ({ name: "read_file", input: { file_path: path } });

const qwen: LockKit = {
  ...qwenKit,
  reading: (path) => [
    qwenRead(path),
    { name: "glob", input: { pattern: "*.txt" } },
    { name: "grep_search", input: { pattern: "one" } },
  ],
  mcp: [
    { name: "tool_search", input: { query: "select:mcp__signet__memory_search" } },
    { name: "tool_call", input: { name: "mcp__signet__memory_search", arguments: { query: "birds" } } },
  ],
  tools: [
    ...writing("write_file", (file_path) => ({ file_path, content: "changed\n" }), qwenRead),
    editing("edit", (file_path) => ({ file_path, old_string: "line one", new_string: "line 1" }), qwenRead),
    editingNotebook("notebook_edit", qwenRead),
    // It takes `sed -i` for an edit, which wants the file to be read first.
    ...shellTools(qwenKit.shell).map((tool) => ({ ...tool, first: qwenRead })),
  ],
};

const copilot: LockKit = {
  ...copilotKit,
  reading: (path) => [
    { name: "view", input: { path } },
    { name: "glob", input: { pattern: "*.txt" } },
    { name: "grep", input: { pattern: "one" } },
  ],
  mcp: [{ name: "signet-memory_search", input: { query: "birds" } }],
  tools: [
    { title: "create", call: (path) => ({ name: "create", input: { path, file_text: "changed\n" } }) },
    editing("edit", (path) => ({ path, old_str: "line one", new_str: "line 1" })),
    ...shellTools(copilotKit.shell),
  ],
};

/** Models of OpenAI edit with another tool. */
const copilotPatch: LockKit = {
  ...copilotKit,
  ask: (stage, prompt) =>
    stage.program(["-p", prompt, "--allow-all-tools"], {
      env: { ...copilotRun.env(stage), COPILOT_MODEL: "gpt-5.5" },
      timeoutMs: 120_000,
    }),
  tools: [
    editing("apply_patch", (path) => ({ input: patch(path) })),
    {
      title: "apply_patch that adds a file",
      call: (path) => ({ name: "apply_patch", input: { input: addingPatch(path) } }),
    },
  ],
};

const kimi: LockKit = {
  ...kimiKit,
  tools: [
    ...writing("Write", (path) => ({ path, content: "changed\n" })),
    editing("Edit", (path) => ({ path, old_string: "line one", new_string: "line 1" })),
    ...shellTools(kimiKit.shell),
    shellElsewhere("Bash", (command, cwd) => ({ command, cwd })),
  ],
};

/** The harnesses that `deno task e2e --locks` plays. */
export const LOCKS: readonly Scenario[] = [
  withLocks(claudeCodeRun.scenario, claude),
  withLocks(codexRun.scenario, codex),
  withLocks(geminiRun.scenario, gemini),
  withLocks(qwenRun.scenario, qwen),
  withLocks(copilotRun.scenario, copilot),
  withLocks({ ...copilotRun.scenario, name: "copilot with apply_patch" }, copilotPatch),
  withLocks(kimiRun.scenario, kimi),
  ...PLUGIN_LOCKS,
];
