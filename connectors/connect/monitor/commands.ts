import type { Command } from "../../base/cli/command.ts";

/** The command that shows what all agents do. */
export const MONITOR_COMMANDS: readonly Command[] = [
  {
    id: "monitor",
    summary: "Show what all agents do, their locks and their messages",
    mode: "readonly",
    action: "read",
    resource: "agents",
    args: "",
    flags: [
      { name: "project", value: "DIR", summary: "Only sessions in this directory" },
      { name: "web", summary: "Show it as a page in the browser, on this machine only" },
      { name: "port", value: "PORT", summary: "The port of the page (default: a free one)" },
    ],
    examples: ["monitor", "monitor --project .", "monitor --json", "monitor --mode admin", "monitor --web"],
    load: () => import("./monitor.ts"),
  },
];
