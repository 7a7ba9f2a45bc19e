import type { HarnessSpec } from "../define_harness.ts";

/** OpenCode, and Kilo, which is built on it, in the agent mesh: the plugin asks our program, and only where there is something to ask about. */
export const OPENCODE_AGENTS = {
  events: {
    "pre-tool": { native: "tool.execute.before", timeout: 4_000 },
    "post-tool": { native: "tool.execute.after", timeout: 4_000 },
    "turn-end": { native: "session.idle", timeout: 4_000 },
  },
  tools: {
    write: { paths: ["filePath"] },
    edit: { paths: ["filePath"] },
    multiedit: { paths: ["filePath"] },
    patch: { patch: ["patchText", "patch"] },
    apply_patch: { patch: ["patchText", "patch"] },
    bash: { shell: ["command"], cwd: ["workdir"] },
  },
  refusal: "decision",
  goOn: "deny",
  // The end of a turn is not refused: the plugin starts another one.
  goOnLimit: 0,
  contextBeforeTool: false,
  wake: () => "plugin",
} satisfies Omit<NonNullable<HarnessSpec["agents"]>, "abilities">;
