import type { HarnessSpec } from "../base/define_harness.ts";
import { OPENCODE_AGENTS } from "../base/plugin/opencode_agents.ts";

export const agents: HarnessSpec["agents"] = {
  ...OPENCODE_AGENTS,
  abilities: {
    working: "with the next model request",
    idle: "woken as in OpenCode, on which it is built (not tried), and not in `kilo run`",
  },
};
