import type { HarnessSpec } from "../base/define_harness.ts";

/** The tools that change no file; some models get `rg` for `grep`. */
const READING = ["view", "glob", "grep", "rg"];

/** Copilot CLI in the agent mesh. */
export const agents: HarnessSpec["agents"] = {
  events: {
    // Before 1.0.67 a hook that took too long refused the tool call.
    "pre-tool": { native: "preToolUse", timeout: 5, since: "1.0.67", except: READING },
    "post-tool": { native: "postToolUse", timeout: 5 },
    "turn-end": { native: "agentStop", timeout: 5 },
    waiting: { native: "notification", timeout: 5 },
  },
  tools: {
    create: { paths: ["path"] },
    edit: { paths: ["path"] },
    str_replace_editor: { paths: ["path"] },
    apply_patch: { patch: ["input", "patch"] },
    bash: { shell: ["command"] },
    powershell: { shell: ["command"] },
  },
  refusal: "permission",
  topLevel: true,
  goOn: "block",
  // Copilot CLI itself stops after eight.
  goOnLimit: 3,
  contextBeforeTool: true,
  subagentsHaveSessions: true,
  wake: () => "none",
  abilities: {
    working: "after each tool call and at the end of the turn; urgent messages before a tool call",
    idle: "not woken: the terminal bell rings, and the message comes with the next prompt",
  },
};
