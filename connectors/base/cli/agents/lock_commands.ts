import type { Command, Flag } from "../command.ts";

const AS: Flag = {
  name: "as",
  value: "SESSION",
  summary: "Who acts: a session on this machine, or person (default: found by itself)",
};
const SINCE: Flag = { name: "since", value: "TIME", summary: "Only what is younger than this: 30m, 2h, 1d" };
const LINES: Flag = { name: "lines", short: "n", value: "N", summary: "How many, newest last (default: 20)" };

/** The commands for locks on files. */
export const LOCK_COMMANDS: readonly Command[] = [
  {
    id: "lock",
    summary: "Lock files, so that no other agent can edit them",
    mode: "write",
    action: "write",
    resource: "locks",
    args: "PATH…",
    flags: [
      { name: "intent", value: "TEXT", summary: "What you are doing; shown to whoever is refused" },
      { name: "lease", value: "TIME", summary: "How long it lasts unless renewed (default: 10m; Codex 5m)" },
      { name: "wait", value: "SEC", alone: "60", summary: "Wait until they are free (default: 60 s)" },
      { name: "tree", summary: "Lock directories with everything in them" },
      { name: "shared", summary: "Also in other clones of the repository, on this and other machines" },
      AS,
    ],
    examples: [
      'lock src/auth.ts --intent "rename the fields"',
      "lock src/db --tree --wait=120",
      "lock schema.sql --shared --lease 1h",
    ],
    load: () => import("../commands/agents/lock.ts"),
  },
  {
    id: "unlock",
    summary: "Free your locks",
    mode: "write",
    action: "write",
    resource: "locks",
    args: "[PATH…]",
    flags: [
      { name: "all", summary: "All of your locks" },
      { name: "force", mode: "admin", summary: "Free the lock of another session, and notify it" },
      AS,
    ],
    examples: ["unlock src/auth.ts", "unlock --all", "unlock src/auth.ts --force --mode admin"],
    load: () => import("../commands/agents/unlock.ts"),
  },
  {
    id: "locks",
    summary: "List the locks on files: who holds them, since when and for how long",
    mode: "readonly",
    action: "read",
    resource: "locks",
    args: "[PATH…]",
    flags: [],
    examples: ["locks", "locks src --json"],
    load: () => import("../commands/agents/locks.ts"),
  },
  {
    id: "changes",
    summary: "Show which agent edited which file",
    mode: "readonly",
    action: "read",
    resource: "locks",
    args: "[PATH]",
    flags: [SINCE, { name: "by", value: "AGENT", summary: "Only by this agent or session" }, LINES],
    examples: ["changes src/auth.ts", "changes --since 2h --by codex-3f9a"],
    load: () => import("../commands/changes.ts"),
  },
  {
    id: "audit",
    summary: "Show what happened to locks: taken, refused, freed, forced, violated",
    mode: "readonly",
    action: "read",
    resource: "locks",
    args: "[PATH]",
    flags: [SINCE, LINES],
    examples: ["audit", "audit src/auth.ts --since 1d"],
    load: () => import("../commands/audit.ts"),
  },
];
