import { basename, dirname } from "@std/path";
import * as claudeCodeRun from "./claude_code.ts";
import * as codexRun from "./codex.ts";
import * as copilotRun from "./copilot.ts";
import * as geminiRun from "./gemini.ts";
import * as kiloRun from "./kilo.ts";
import * as kimiRun from "./kimi.ts";
import * as ompRun from "./omp.ts";
import * as openclawRun from "./openclaw.ts";
import * as opencodeRun from "./opencode.ts";
import * as piRun from "./pi.ts";
import { type EditingTool, type LockKit, playLocks } from "./locks.ts";
import {
  claudeKit,
  codexKit,
  copilotKit,
  geminiKit,
  kiloKit,
  kimiKit,
  ompKit,
  opencodeKit,
  piKit,
  qwenKit,
} from "./mesh_kits.ts";
import type { MeshKit } from "./mesh.ts";
import * as qwenRun from "./qwen.ts";
import type { Turn } from "./model/turn.ts";
import type { Scenario } from "./stage.ts";

type ToolCall = NonNullable<Turn["tool"]>;

const BEFORE = "line one\nline two\n";
const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: "code", id: "c1", execution_count: null, metadata: {}, outputs: [], source: ["1"] }],
  metadata: { language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
});

/** Shell lines: two that can be read, and one that hides what it writes. */
function shellTools(shell: MeshKit["shell"]): EditingTool[] {
  const line = (title: string, command: (path: string) => string, hidden = false): EditingTool => ({
    title,
    before: BEFORE,
    hidden,
    call: (path, request) => shell(request, command(path)),
  });
  return [
    line("a shell redirection", (path) => `echo changed > ${path}`),
    line("sed -i in a shell", (path) => `sed -i s/one/1/ ${path}`),
    line("a hidden shell write", (path) => `f=${path}; echo changed > "$f"`, true),
  ];
}

const read = (path: string): ToolCall => ({ name: "Read", input: { file_path: path } });

const claude: LockKit = {
  ...claudeKit,
  ask: (stage, prompt) =>
    claudeCodeRun.ask(stage, prompt, "--allowedTools", "Bash,Read,Write,Edit,MultiEdit,NotebookEdit"),
  tools: [
    {
      title: "Write of a new file",
      call: (file_path) => ({ name: "Write", input: { file_path, content: "changed\n" } }),
    },
    {
      title: "Write",
      before: BEFORE,
      first: read,
      call: (file_path) => ({ name: "Write", input: { file_path, content: "changed\n" } }),
    },
    {
      title: "Edit",
      before: BEFORE,
      first: read,
      call: (file_path) => ({ name: "Edit", input: { file_path, old_string: "one", new_string: "1" } }),
    },
    {
      title: "MultiEdit",
      before: BEFORE,
      first: read,
      call: (file_path, { raw }) =>
        raw.includes('"name":"MultiEdit"')
          ? { name: "MultiEdit", input: { file_path, edits: [{ old_string: "one", new_string: "1" }] } }
          : undefined,
    },
    {
      title: "NotebookEdit",
      extension: ".ipynb",
      before: NOTEBOOK,
      first: read,
      call: (notebook_path) => ({
        name: "NotebookEdit",
        input: { notebook_path, cell_id: "c1", new_source: "2", edit_mode: "replace" },
      }),
    },
    ...shellTools(claudeKit.shell),
  ],
};

function patch(path: string): string {
  return `*** Begin Patch\n*** Update File: ${path}\n@@\n-line one\n+line 1\n line two\n*** End Patch\n`;
}

const codex: LockKit = {
  ...codexKit,
  // Codex offers apply_patch only to models that it knows.
  ask: (stage, prompt) => codexRun.ask(stage, ["--sandbox", "danger-full-access", "-m", "gpt-5.5", prompt]),
  tools: [
    {
      title: "apply_patch",
      before: BEFORE,
      // A tool whose input is a text, not JSON.
      call: (path, { raw }) =>
        raw.includes('"name":"apply_patch"')
          ? { name: "apply_patch", input: {}, text: patch(path) }
          : undefined,
    },
    {
      title: "apply_patch in a shell",
      before: BEFORE,
      call: (path, request) => codexKit.shell(request, `apply_patch <<'EOF'\n${patch(path)}EOF`),
    },
    {
      title: "apply_patch that adds a file",
      call: (path, { raw }) =>
        raw.includes('"name":"apply_patch"')
          ? {
            name: "apply_patch",
            input: {},
            text: `*** Begin Patch\n*** Add File: ${path}\n+new\n*** End Patch\n`,
          }
          : undefined,
    },
    ...shellTools(codexKit.shell),
    {
      title: "a shell line in another directory",
      extension: "/x.txt",
      before: BEFORE,
      call: (path) => ({
        name: "exec_command",
        input: { cmd: "echo changed > x.txt", workdir: dirname(path), yield_time_ms: 30_000 },
      }),
    },
  ],
};

const gemini: LockKit = {
  ...geminiKit,
  tools: [
    {
      title: "write_file of a new file",
      call: (file_path) => ({ name: "write_file", input: { file_path, content: "changed\n" } }),
    },
    {
      title: "write_file",
      before: BEFORE,
      call: (file_path) => ({ name: "write_file", input: { file_path, content: "changed\n" } }),
    },
    {
      title: "replace",
      before: BEFORE,
      call: (file_path) => ({
        name: "replace",
        input: { file_path, instruction: "count", old_string: "line one", new_string: "line 1" },
      }),
    },
    ...shellTools(geminiKit.shell),
    {
      title: "a shell line in another directory",
      extension: "/x.txt",
      before: BEFORE,
      call: (path) => ({
        name: "run_shell_command",
        input: { command: "echo changed > x.txt", description: "write", dir_path: dirname(path) },
      }),
    },
  ],
};

const opencode: LockKit = {
  ...opencodeKit,
  tools: [
    {
      title: "write of a new file",
      call: (filePath) => ({ name: "write", input: { filePath, content: "changed\n" } }),
    },
    {
      title: "write",
      before: BEFORE,
      first: (filePath) => ({ name: "read", input: { filePath } }),
      call: (filePath) => ({ name: "write", input: { filePath, content: "changed\n" } }),
    },
    {
      title: "edit",
      before: BEFORE,
      first: (filePath) => ({ name: "read", input: { filePath } }),
      call: (filePath) => ({ name: "edit", input: { filePath, oldString: "line one", newString: "line 1" } }),
    },
    ...shellTools(opencodeKit.shell),
  ],
};

const pi: LockKit = {
  ...piKit,
  tools: [
    {
      title: "write of a new file",
      call: (path) => ({ name: "write", input: { path, content: "changed\n" } }),
    },
    {
      title: "write",
      before: BEFORE,
      call: (path) => ({ name: "write", input: { path, content: "changed\n" } }),
    },
    {
      title: "edit",
      before: BEFORE,
      call: (path) => ({
        name: "edit",
        input: { path, edits: [{ oldText: "line one", newText: "line 1" }] },
      }),
    },
    ...shellTools(piKit.shell),
  ],
};

const openclawShell: MeshKit["shell"] = (_request, command) => ({ name: "exec", input: { command } });

const openclaw: LockKit = {
  async furnish(stage) {
    const config = openclawRun.config(stage, 18_789, `, workspace: '${stage.project}'`);
    await stage.userFile(".openclaw/openclaw.json", config);
  },
  installFlags: [],
  ask: (stage, prompt) => openclawRun.ask(stage, prompt, "--local"),
  tools: [
    {
      title: "write of a new file",
      call: (path) => ({ name: "write", input: { path, content: "changed\n" } }),
    },
    {
      title: "write",
      before: BEFORE,
      call: (path) => ({ name: "write", input: { path, content: "changed\n" } }),
    },
    {
      title: "edit",
      before: BEFORE,
      call: (path) => ({
        name: "edit",
        input: { path, edits: [{ oldText: "line one", newText: "line 1" }] },
      }),
    },
    {
      title: "apply_patch",
      before: BEFORE,
      call: (path, { raw }) =>
        raw.includes('"name":"apply_patch"')
          ? { name: "apply_patch", input: { input: patch(path) } }
          : undefined,
    },
    // What a hidden write changed is shown with the next prompt: OpenClaw takes no text after a tool.
    ...shellTools(openclawShell).filter(({ hidden }) => !hidden),
  ],
};

const readFirst = (path: string): ToolCall => ({ name: "read_file", input: { file_path: path } });

const qwen: LockKit = {
  ...qwenKit,
  tools: [
    {
      title: "write_file of a new file",
      call: (file_path) => ({ name: "write_file", input: { file_path, content: "changed\n" } }),
    },
    {
      title: "write_file",
      before: BEFORE,
      first: readFirst,
      call: (file_path) => ({ name: "write_file", input: { file_path, content: "changed\n" } }),
    },
    {
      title: "edit",
      before: BEFORE,
      first: readFirst,
      call: (file_path) => ({
        name: "edit",
        input: { file_path, old_string: "line one", new_string: "line 1" },
      }),
    },
    {
      title: "notebook_edit",
      extension: ".ipynb",
      before: NOTEBOOK,
      first: readFirst,
      call: (notebook_path) => ({
        name: "notebook_edit",
        input: { notebook_path, cell_id: "c1", new_source: "2", edit_mode: "replace" },
      }),
    },
    // It takes `sed -i` for an edit, which wants the file to be read first.
    ...shellTools(qwenKit.shell).map((tool) => ({ ...tool, first: readFirst })),
  ],
};

const copilot: LockKit = {
  ...copilotKit,
  tools: [
    {
      title: "create",
      call: (path) => ({ name: "create", input: { path, file_text: "changed\n" } }),
    },
    {
      title: "edit",
      before: BEFORE,
      call: (path) => ({ name: "edit", input: { path, old_str: "line one", new_str: "line 1" } }),
    },
    ...shellTools(copilotKit.shell),
  ],
};

const kimi: LockKit = {
  ...kimiKit,
  tools: [
    {
      title: "Write of a new file",
      call: (path) => ({ name: "Write", input: { path, content: "changed\n" } }),
    },
    {
      title: "Write",
      before: BEFORE,
      call: (path) => ({ name: "Write", input: { path, content: "changed\n" } }),
    },
    {
      title: "Edit",
      before: BEFORE,
      call: (path) => ({ name: "Edit", input: { path, old_string: "line one", new_string: "line 1" } }),
    },
    ...shellTools(kimiKit.shell),
    {
      title: "a shell line in another directory",
      extension: "/x.txt",
      before: BEFORE,
      call: (path) => ({ name: "Bash", input: { command: "echo changed > x.txt", cwd: dirname(path) } }),
    },
  ],
};

/** Models of OpenAI edit with another tool, whose input is a text and not JSON. */
const copilotPatch: LockKit = {
  ...copilotKit,
  ask: (stage, prompt) =>
    stage.program(["-p", prompt, "--allow-all-tools"], {
      env: { ...copilotRun.env(stage), COPILOT_MODEL: "gpt-5.5" },
      timeoutMs: 120_000,
    }),
  tools: [
    {
      title: "apply_patch",
      before: BEFORE,
      call: (path) => ({ name: "apply_patch", input: { input: patch(path) } }),
    },
    {
      title: "apply_patch that adds a file",
      call: (path) => ({
        name: "apply_patch",
        input: { input: `*** Begin Patch\n*** Add File: ${path}\n+new\n*** End Patch\n` },
      }),
    },
  ],
};

/** Kilo has the tools of OpenCode, and oh-my-pi has those of pi with another `edit`. */
const kilo: LockKit = { ...kiloKit, tools: opencode.tools };
const omp: LockKit = {
  ...ompKit,
  tools: [
    ...pi.tools.filter(({ title }) => title !== "edit"),
    {
      title: "edit by lines",
      before: BEFORE,
      first: (path) => ({ name: "read", input: { path } }),
      call(path, { raw }) {
        // The tool wants the header of the file as `read` showed it.
        const shown = [...raw.matchAll(/\[[^[\]"\s]+#[0-9A-Fa-f]{4}\]/g)].map(([header]) => header);
        const header = shown.findLast((text) => text.includes(basename(path))) ?? `[${path}#0000]`;
        return { name: "edit", input: { input: `${header}\nPUT 1.=1:\n+line 1\n` } };
      },
    },
    {
      title: "a shell line in another directory",
      extension: "/x.txt",
      before: BEFORE,
      call: (path) => ({ name: "bash", input: { command: "echo changed > x.txt", cwd: dirname(path) } }),
    },
  ],
};

/** The other forms of oh-my-pi's `edit`, which it chooses by the model. */
const OMP_EDITS: Record<string, (path: string) => object> = {
  apply_patch: (path) => ({ input: patch(path) }),
  patch: (path) => ({ path, edits: [{ op: "update", diff: "@@\n-line one\n+line 1\n" }] }),
  replace: (path) => ({ path, old_string: "line one", new_string: "line 1" }),
  sloppy: (path) => ({
    input: `<SM:EDIT path="${path}">\n<SM:FIND>\nline one\n</SM:FIND>\n` +
      "<SM:PUT>\nline 1\n</SM:PUT>\n</SM:EDIT>\n",
  }),
};

function ompEdit(form: string, input: (path: string) => object): Scenario {
  const kit: LockKit = {
    ...ompKit,
    ask: (stage, prompt) => ompRun.askWith(stage, { PI_EDIT_VARIANT: form }, prompt),
    tools: [{
      title: `edit in the form ${form}`,
      before: BEFORE,
      first: (path) => ({ name: "read", input: { path } }),
      call: (path) => ({ name: "edit", input: { ...input(path) } }),
    }],
  };
  return withLocks({ ...ompRun.scenario, name: `omp with ${form}` }, kit);
}

function withLocks(scenario: Scenario, kit: LockKit): Scenario {
  return { ...scenario, play: (stage) => playLocks(stage, kit) };
}

/** The harnesses that `deno task e2e --locks` plays. */
export const LOCKS: readonly Scenario[] = [
  withLocks(claudeCodeRun.scenario, claude),
  withLocks(codexRun.scenario, codex),
  withLocks(geminiRun.scenario, gemini),
  withLocks(opencodeRun.scenario, opencode),
  withLocks(openclawRun.scenario, openclaw),
  withLocks(piRun.scenario, pi),
  withLocks(qwenRun.scenario, qwen),
  withLocks(copilotRun.scenario, copilot),
  withLocks({ ...copilotRun.scenario, name: "copilot with apply_patch" }, copilotPatch),
  withLocks(kimiRun.scenario, kimi),
  withLocks(kiloRun.scenario, kilo),
  withLocks(ompRun.scenario, omp),
  ...Object.entries(OMP_EDITS).map(([form, input]) => ompEdit(form, input)),
];
