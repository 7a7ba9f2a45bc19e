import type { HarnessSpec } from "../base/define_harness.ts";

/** The tools that change no file. `search_file_content` is the earlier name of `grep_search`, which still works. */
const READING = [
  "read_file",
  "read_many_files",
  "list_directory",
  "glob",
  "grep_search",
  "search_file_content",
  "write_todos",
];

/** Gemini CLI in the agent mesh. */
export const agents: HarnessSpec["agents"] = {
  events: {
    "pre-tool": { native: "BeforeTool", timeout: 5_000, except: READING },
    "post-tool": { native: "AfterTool", timeout: 5_000 },
    "turn-end": { native: "AfterAgent", timeout: 5_000 },
    waiting: { native: "Notification", timeout: 5_000 },
  },
  tools: {
    write_file: { paths: ["file_path"] },
    replace: { paths: ["file_path"] },
    run_shell_command: { shell: ["command"], cwd: ["dir_path", "directory"] },
  },
  refusal: "decision",
  goOn: "deny",
  goOnLimit: 1,
  contextBeforeTool: false,
  wake: () => "none",
  abilities: {
    working: "after each tool call and at the end of the turn",
    idle: "not woken: the terminal bell rings, and the message comes with the next prompt",
  },
};
