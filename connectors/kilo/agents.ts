import type { HarnessSpec } from "../base/define_harness.ts";
import { OPENCODE_AGENTS } from "../base/plugin/opencode_agents.ts";

export const agents: HarnessSpec["agents"] = {
  ...OPENCODE_AGENTS,
  abilities: {
    working: "with the next model request",
    idle: "woken within seconds, and not in `kilo run`",
  },
};
