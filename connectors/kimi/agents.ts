import type { HarnessSpec } from "../base/define_harness.ts";

/** Kimi Code in the agent mesh. It waits for no hook after a tool call, and reads none of its output. */
export const agents: HarnessSpec["agents"] = {
  events: {
    // For every tool: during a turn, no other hook can tell the model to stop.
    "pre-tool": { native: "PreToolUse", timeout: 5 },
    "post-tool": { native: "PostToolUse", timeout: 5 },
    // The calls of a sub-agent have the session of its parent, and no mark.
    "subagent-start": { native: "SubagentStart", timeout: 5 },
    "subagent-end": { native: "SubagentStop", timeout: 5 },
    "turn-end": { native: "Stop", timeout: 5 },
    waiting: { native: "PermissionRequest", timeout: 5 },
  },
  tools: {
    Write: { paths: ["path"] },
    Edit: { paths: ["path"] },
    Bash: { shell: ["command"], cwd: ["cwd"] },
  },
  refusal: "permission",
  goOn: "permission",
  // Kimi Code runs no Stop hook again after a turn that went on.
  goOnLimit: 1,
  contextBeforeTool: false,
  deafAfterTool: true,
  wake: () => "none",
  abilities: {
    working: "at the end of the turn",
    idle: "not woken: the terminal bell rings, and the message comes with the next prompt",
  },
};
