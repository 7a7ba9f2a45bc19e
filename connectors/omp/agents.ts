import type { HarnessSpec } from "../base/define_harness.ts";
import { PI_AGENTS } from "../base/plugin/pi_agents.ts";

export const agents: HarnessSpec["agents"] = {
  ...PI_AGENTS,
  tools: {
    write: { paths: ["path"] },
    edit: { form: "omp-edit" },
    bash: { shell: ["command"], cwd: ["cwd"] },
    ast_edit: { form: "program" },
    eval: { form: "program" },
  },
  abilities: {
    working: "after each tool call",
    idle: "woken within seconds, and not in `omp -p`",
  },
};
