import type { HarnessSpec } from "../define_harness.ts";

/** pi, and oh-my-pi, which is built on it, in the agent mesh: the plugin asks our program, and only where there is something to ask about. */
export const PI_AGENTS = {
  events: {
    "pre-tool": { native: "tool_call", timeout: 4_000 },
    "post-tool": { native: "tool_result", timeout: 4_000 },
    "turn-end": { native: "agent_end", timeout: 4_000 },
  },
  tools: {
    write: { paths: ["path"] },
    edit: { paths: ["path"] },
    bash: { shell: ["command"] },
  },
  refusal: "decision",
  goOn: "deny",
  // The end of a turn is not refused: the plugin starts another one.
  goOnLimit: 0,
  contextBeforeTool: false,
  wake: () => "plugin",
} satisfies Omit<NonNullable<HarnessSpec["agents"]>, "abilities">;
