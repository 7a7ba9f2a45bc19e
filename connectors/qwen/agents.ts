import type { HarnessSpec } from "../base/define_harness.ts";

/** The tools that change no file. */
const READING = ["read_file", "list_directory", "glob", "grep_search", "todo_write"];

/** Qwen Code in the agent mesh. */
export const agents: HarnessSpec["agents"] = {
  events: {
    "pre-tool": { native: "PreToolUse", timeout: 5, except: READING },
    "post-tool": { native: "PostToolUse", timeout: 5 },
    "turn-end": { native: "Stop", timeout: 5 },
    waiting: { native: "Notification", timeout: 5 },
  },
  tools: {
    write_file: { paths: ["file_path"] },
    edit: { paths: ["file_path"] },
    notebook_edit: { paths: ["notebook_path"] },
    run_shell_command: { shell: ["command"], cwd: ["directory"] },
  },
  refusal: "permission",
  goOn: "block",
  // Qwen Code itself stops after eight.
  goOnLimit: 3,
  contextBeforeTool: false,
  wake: () => "none",
  abilities: {
    working: "after each tool call and at the end of the turn",
    idle: "not woken: the terminal bell rings, and the message comes with the next prompt",
  },
};
