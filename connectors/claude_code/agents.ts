import type { HarnessSpec } from "../base/define_harness.ts";
import { compareVersions } from "../base/versions/compare.ts";

/** The hook that runs beside an idle session; its exit code 2 wakes the model. */
export function isRewaking(event: string): boolean {
  return event === "wait-for-messages";
}

/** Whether the variable that Claude Code sets, `claude-code_2-1-325_harness`, names 2.1.325 or a later version. */
export function isNewer(agent: string | undefined): boolean {
  const [, version] = agent?.match(/^claude-code_(\d+-\d+-\d+)_/) ?? [];
  return version !== undefined && compareVersions(version.replaceAll("-", "."), "2.1.325") >= 0;
}

/** The tools that change no file, of this and earlier versions. */
const READING = [
  "Read",
  "Glob",
  "Grep",
  "LS",
  "NotebookRead",
  "TodoRead",
  "TodoWrite",
  "TaskGet",
  "TaskList",
];

/** Claude Code in the agent mesh. */
export const agents: HarnessSpec["agents"] = {
  events: {
    "pre-tool": { native: "PreToolUse", timeout: 5, except: READING },
    "post-tool": { native: "PostToolUse", timeout: 5 },
    "turn-end": { native: "Stop", timeout: 5 },
    waiting: { native: "Notification", timeout: 5 },
    // An older version might wait for it, for a day: it goes only where it was seen to work.
    "wait-for-messages": { native: "Stop", timeout: 86_400, since: "2.1.325" },
  },
  tools: {
    Write: { paths: ["file_path"] },
    Edit: { paths: ["file_path"] },
    MultiEdit: { paths: ["file_path"] },
    NotebookEdit: { paths: ["notebook_path"] },
    Bash: { shell: ["command"] },
  },
  refusal: "permission",
  // Seen on 2.1.325, which gives the model the reason of `block` twice; 2.1.148 ignores the other form.
  goOn: (env) => isNewer(env("AI_AGENT")) ? "context" : "block",
  goOnLimit: 3,
  contextBeforeTool: true,
  // `claude -p` runs even this hook synchronously, and would wait for it.
  wake: (env) => env("CLAUDE_CODE_SESSION_ATTENDED") === "1" ? "hook" : "none",
  abilities: {
    working: "after each tool call and at the end of the turn; urgent messages before a tool call",
    idle: "woken at once in a terminal, and not in `claude -p`",
  },
};
