import type { Command, Flag } from "../base/cli/command.ts";
import { COMMANDS, CREDENTIALS, DRY_RUN, YES } from "../base/cli/commands.ts";
import { A2A_COMMANDS } from "./a2a/commands.ts";
import { HISTORY_COMMANDS } from "./history/commands.ts";
import { MONITOR_COMMANDS } from "./monitor/commands.ts";

/** Key commands take the daemon's URL and an admin key or login, but no agent. */
const OPERATOR: readonly Flag[] = [
  ...CREDENTIALS.filter(({ name }) => name !== "agent-id"),
  {
    name: "admin-user",
    value: "NAME",
    summary: "Log in with the daemon's admin name; asks for the password and stores nothing",
  },
  { name: "admin-password-stdin", summary: "Read the admin password from standard input" },
];

const ALL: Flag = { name: "all", summary: "All harnesses (install: all that are on this machine)" };

/** The flags of install that setup takes too. */
const SETUP_FLAGS = ["workspace", "bin-dir", "agents", "no-agents"];

/** The commands that only signet-connect has. */
const CONNECT_ONLY: readonly Command[] = [
  {
    id: "setup",
    summary: "Find the harnesses on this machine and connect them, step by step",
    aliases: ["login", "connect", "init"],
    mode: "write",
    action: "change",
    resource: "harness",
    flags: [
      ...CREDENTIALS,
      ...COMMANDS.flatMap(({ id, flags }) =>
        id === "install" ? flags.filter(({ name }) => SETUP_FLAGS.includes(name)) : []
      ),
    ],
    examples: ["setup", "setup --url https://signet-home.tailnet:3850 --api-key-file key.txt"],
    load: () => import("./setup/setup.ts"),
  },
  ...MONITOR_COMMANDS,
  ...HISTORY_COMMANDS,
  ...A2A_COMMANDS,
  {
    id: "upgrade",
    summary: "Replace the installed programs with those of a release",
    aliases: ["update"],
    mode: "write",
    action: "change",
    resource: "programs",
    args: "",
    flags: [
      {
        name: "from",
        value: "URL|DIR",
        summary: "Location of the release (default: the newest one where the programs came from)",
      },
      { name: "check", summary: "Only print what is new; change nothing" },
      { name: "insecure-http", summary: "Allow plain HTTP to another machine" },
      DRY_RUN,
      YES,
    ],
    examples: [
      "upgrade",
      "upgrade --check",
      "upgrade --from https://example.com/signet/v0.2.0",
      "upgrade --from ./release --dry-run",
    ],
    load: () => import("./release/upgrade.ts"),
  },
  {
    id: "api-key.create",
    summary: "Create a key for a connector; it is shown or written once",
    mode: "admin",
    action: "change",
    resource: "api-keys",
    args: "",
    flags: [
      { name: "name", value: "NAME", summary: "A name for the key: work laptop pi" },
      { name: "connector", value: "HARNESS", summary: "The connector that will use it" },
      { name: "agent-id", value: "ID", summary: "The only agent that it may act for" },
      {
        name: "project",
        value: "PATH",
        repeat: true,
        summary: "A project that it may be used in (repeatable)",
      },
      {
        name: "role",
        value: "ROLE",
        choices: ["admin", "operator", "agent", "readonly"],
        summary: "Default: agent",
      },
      {
        name: "permissions",
        value: "LIST",
        summary: "What it allows, such as recall,remember (default: all that the tools need)",
      },
      { name: "out", value: "FILE", summary: "Write the key to a new file that only you can read" },
      { name: "expires", value: "WHEN", summary: "A date (2027-01-31) or a duration (30d, 12h)" },
      ...OPERATOR,
    ],
    examples: [
      'api-key create --mode admin --name "work laptop pi" --agent-id pi-work-laptop --out key.txt',
      'api-key create --mode admin --admin-user admin --name "read only" --permissions recall',
    ],
    load: () => import("./keys/api_key_create.ts"),
  },
  {
    id: "api-key.list",
    summary: "List the daemon's keys",
    mode: "admin",
    action: "read",
    resource: "api-keys",
    args: "",
    flags: OPERATOR,
    examples: ["api-key list --mode admin"],
    load: () => import("./keys/api_key_list.ts"),
  },
  {
    id: "api-key.revoke",
    summary: "Revoke a key; it stops working at the next hook",
    mode: "admin",
    action: "destructive",
    resource: "api-keys",
    args: "ID-OR-PREFIX",
    flags: [...OPERATOR, YES],
    examples: ["api-key revoke --mode admin bb5f25abc159"],
    load: () => import("./keys/api_key_revoke.ts"),
  },
];

/** The commands that take several harnesses, with examples. */
const FOR_MANY: Record<string, string[]> = {
  install: [
    "install --all --url https://signet-home.tailnet:3850 --api-key-file key.txt --agent-id work-laptop",
    "install pi codex --dry-run",
  ],
  uninstall: ["uninstall codex", "uninstall --all --dry-run"],
  status: ["status", "status --watch", "status pi codex --json"],
  doctor: ["doctor", "doctor pi --fix"],
  log: ["log", "log --follow", "log claude-code --last"],
  sync: ["sync", "sync pi --watch"],
  flush: ["flush", "flush pi"],
};

/** The commands of signet-connect: those of every connector, for several harnesses, and a few more. */
export const CONNECT_COMMANDS: readonly Command[] = [
  ...CONNECT_ONLY.filter(({ id }) => id === "setup"),
  ...COMMANDS.map((command) => {
    if (command.id === "send") return { ...command, load: () => import("./a2a/send_outside.ts") };
    return command.id in FOR_MANY
      ? { ...command, flags: [ALL, ...command.flags], examples: FOR_MANY[command.id] ?? [] }
      : command;
  }),
  ...CONNECT_ONLY.filter(({ id }) => id !== "setup"),
];
