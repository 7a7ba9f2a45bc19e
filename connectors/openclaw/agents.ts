import type { HarnessSpec } from "../base/define_harness.ts";

/** OpenClaw in the agent mesh: the plugin asks our program, and only where there is something to ask about. */
export const agents: HarnessSpec["agents"] = {
  events: {
    "pre-tool": { native: "before_tool_call", timeout: 4_000 },
    "post-tool": { native: "after_tool_call", timeout: 4_000 },
    "turn-end": { native: "agent_end", timeout: 4_000 },
  },
  tools: {
    write: { paths: ["path", "file_path"] },
    edit: { paths: ["path", "file_path"] },
    apply_patch: { patch: ["input", "patch"] },
    exec: { shell: ["command"], cwd: ["workdir"] },
    bash: { shell: ["command"], cwd: ["workdir"] },
  },
  refusal: "decision",
  goOn: "deny",
  // The end of a turn is not refused: the plugin starts another one.
  goOnLimit: 0,
  contextBeforeTool: false,
  // By a heartbeat; OpenClaw starts five within 60 s and keeps the next until then.
  wake: () => "plugin",
  abilities: {
    working: "with the next prompt",
    idle: "woken within seconds in a gateway, at most five times a minute, and not with `--local`",
  },
};
