import type { HarnessSpec } from "../base/define_harness.ts";
import { PI_AGENTS } from "../base/plugin/pi_agents.ts";

export const agents: HarnessSpec["agents"] = {
  ...PI_AGENTS,
  abilities: {
    working: "after each tool call",
    idle: "woken within a second, and not in `pi -p`",
  },
};
