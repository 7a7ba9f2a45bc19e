import type { HarnessSpec } from "../base/define_harness.ts";
import { SESSION_END_SINCE } from "./versions.ts";

/** Codex in the agent mesh. Older versions keep their Stop hook for checkpoints. */
export const agents: HarnessSpec["agents"] = {
  events: {
    // For every tool: its matchers have no lookahead, and its models read files with the shell.
    "pre-tool": { native: "PreToolUse", timeout: 5, since: SESSION_END_SINCE },
    "post-tool": { native: "PostToolUse", timeout: 5, since: SESSION_END_SINCE },
    "turn-end": { native: "Stop", timeout: 5, since: SESSION_END_SINCE },
    waiting: { native: "PermissionRequest", timeout: 5, since: SESSION_END_SINCE },
  },
  tools: {
    apply_patch: { patch: ["command", "input", "patch"] },
    // 0.150.1 does not say in which directory a command runs; 0.166 does, as `cwd`.
    Bash: { shell: ["command"], cwd: ["workdir"], elsewhere: true },
  },
  refusal: "permission",
  goOn: "block",
  // Codex has no limit: a hook that always says `block` ran 1,125 times in 90 s.
  goOnLimit: 3,
  contextBeforeTool: true,
  wake: () => "queue",
  abilities: {
    working: "after each tool call and at the end of the turn; urgent messages before a tool call",
    idle: "woken at once in a terminal through Codex's queue, and not in `codex exec`",
  },
};
