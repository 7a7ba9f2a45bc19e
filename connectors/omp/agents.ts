import type { HarnessSpec } from "../base/define_harness.ts";
import { PI_AGENTS } from "../base/plugin/pi_agents.ts";

export const agents: HarnessSpec["agents"] = {
  ...PI_AGENTS,
  abilities: {
    working: "after each tool call",
    idle: "woken as in pi, on which it is built (not tried), and not in `omp -p`",
  },
};
