import type { Command, Flag } from "../../base/cli/command.ts";
import { YES } from "../../base/cli/commands.ts";
import { FORMATS } from "./formats.ts";

const FILTERS: readonly Flag[] = [
  { name: "agent", value: "AGENT", summary: "Only from or to this agent, session, handle or harness" },
  { name: "project", value: "DIR", summary: "Only from this project: a directory or its name" },
  { name: "since", value: "TIME", summary: "Only what is younger: 30m, 2h, 14d, 2026-11-17" },
];
const LIMIT: Flag = { name: "limit", short: "n", value: "N", summary: "How many, newest last (default: 20)" };

/** The commands for the history of messages. */
export const HISTORY_COMMANDS: readonly Command[] = [
  {
    id: "history.list",
    summary: "List the messages between agents, and what became of them",
    mode: "readonly",
    action: "read",
    resource: "history",
    args: "",
    flags: [...FILTERS, LIMIT],
    examples: ["history list", "history list --agent codex --since 1d", "history list --project . --json"],
    load: () => import("./list.ts"),
  },
  {
    id: "history.show",
    summary: "Show a message with its whole conversation",
    mode: "readonly",
    action: "read",
    resource: "history",
    args: "ID|THREAD",
    flags: [],
    examples: ["history show m_01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    load: () => import("./show.ts"),
  },
  {
    id: "history.search",
    summary: 'Search messages: words that all occur, OR, "phrases", word*',
    mode: "readonly",
    action: "read",
    resource: "history",
    args: "WORD…",
    flags: [...FILTERS, LIMIT],
    examples: ["history search lock timeout", "history search 'auth* OR \"session key\"' --since 14d"],
    load: () => import("./search.ts"),
  },
  {
    id: "history.stats",
    summary: "Count messages, answers, agents and projects",
    mode: "readonly",
    action: "read",
    resource: "history",
    args: "",
    flags: FILTERS,
    examples: ["history stats", "history stats --since 7d --json"],
    load: () => import("./stats.ts"),
  },
  {
    id: "history.export",
    summary: "Print or write messages as JSON, CSV or Markdown",
    mode: "readonly",
    action: "read",
    resource: "history",
    args: "",
    flags: [
      { name: "format", value: "FORMAT", choices: FORMATS, summary: "json (default), csv or md" },
      { name: "out", value: "FILE", summary: "Write to a new file that only you can read" },
      ...FILTERS,
      { ...LIMIT, summary: "How many, newest last (default: all)" },
    ],
    examples: ["history export --format csv --out messages.csv", "history export --format md --since 7d"],
    load: () => import("./export.ts"),
  },
  {
    id: "history.clean",
    summary: "Remove old messages from the history",
    mode: "write",
    action: "destructive",
    resource: "history",
    args: "",
    flags: [
      { name: "days", value: "N", summary: "Keep the messages of the last N days" },
      { name: "max-size", value: "SIZE", summary: "Keep the newest messages that fit: 500k, 20MB" },
      { name: "dry-run", summary: "Say how many messages would be removed, and remove none" },
      YES,
    ],
    examples: ["history clean --days 90 --dry-run", "history clean --max-size 20MB --yes"],
    load: () => import("./clean.ts"),
  },
];
