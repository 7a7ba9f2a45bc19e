import type { Command, Flag } from "../command.ts";

export const AS: Flag = {
  name: "as",
  value: "SESSION",
  summary: "Who acts: a session on this machine, or person (default: found by itself)",
};

const FILE: Flag = {
  name: "file",
  value: "FILE",
  summary: "Read the text from a file; - reads standard input",
};

/** The commands with which agents and their users talk to each other. */
export const AGENT_COMMANDS: readonly Command[] = [
  {
    id: "agents",
    summary: "List the agents that are live, what they do, and their unread messages",
    aliases: ["peers"],
    mode: "readonly",
    action: "read",
    resource: "agents",
    flags: [
      { name: "project", value: "DIR", summary: "Only sessions in this directory" },
      { name: "watch", summary: "Keep watching: on a terminal a screen with keys, else the list every 2 s" },
    ],
    examples: ["agents", "agents --project . --json", "agents --watch"],
    load: () => import("../commands/agents/agents.ts"),
  },
  {
    id: "send",
    summary: "Send a message to another agent",
    mode: "write",
    action: "write",
    resource: "agents",
    args: "TO [TEXT|-]",
    flags: [
      {
        name: "priority",
        short: "p",
        value: "1-5",
        summary: "1 note, 2 low, 3 normal (default), 4 urgent, 5 stop",
      },
      {
        name: "wait",
        value: "SEC",
        alone: "60",
        summary: "Wait for the answer and print it (default: 60 s)",
      },
      { name: "thread", value: "ID", summary: "The conversation it belongs to" },
      {
        name: "ttl",
        value: "TIME",
        summary: "How long it may wait: 10m, 1h (default: 24h; priority 5: 10m)",
      },
      { name: "no-wake", summary: "Do not wake an idle agent: it sees the message at its next prompt" },
      { name: "no-reply", summary: "No answer is wanted" },
      FILE,
      {
        name: "start",
        summary: "If the harness has no live session, run it once without a terminal and print its answer",
      },
      { name: "cwd", value: "DIR", summary: "With --start: the directory to work in (default: this one)" },
      AS,
    ],
    examples: [
      'send codex "Please review the diff in src/auth.ts"',
      'send codex@app --wait=120 "Which tests fail?"',
      'send claude-3f9a -p 5 "Stop: main is frozen"',
      'send gemini --start "Summarise CHANGELOG.md"',
    ],
    load: () => import("../commands/agents/send.ts"),
  },
  {
    id: "inbox",
    summary: "Show the messages that wait for you",
    mode: "readonly",
    action: "read",
    resource: "agents",
    args: "[ID…]",
    flags: [
      { name: "mark-read", mode: "write", summary: "Mark them as read: no agent sees them any more" },
      AS,
    ],
    examples: ["inbox", "inbox --as codex-3f9a --mark-read", "inbox m_01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    load: () => import("../commands/agents/inbox.ts"),
  },
  {
    id: "reply",
    summary: "Answer a message; without an id, the newest that waits for an answer",
    mode: "write",
    action: "write",
    resource: "agents",
    args: "[ID] TEXT",
    flags: [{ name: "fail", summary: "Say that it could not be done" }, FILE, AS],
    examples: [
      'reply "All tests pass."',
      'reply m_01ARZ3NDEKTSV4RRFFQ69G5FAV --fail "I may not push to main."',
    ],
    load: () => import("../commands/agents/reply.ts"),
  },
  {
    id: "wait",
    summary: "Wait for answers to messages, for an idle session, or for a free file",
    mode: "readonly",
    action: "read",
    resource: "agents",
    args: "[ID…]",
    flags: [
      { name: "idle", value: "SESSION", summary: "Wait until this session has nothing to do" },
      { name: "lock", value: "PATH", summary: "Wait until no other session has locked this file" },
      { name: "timeout", value: "SEC", summary: "Stop waiting after this time (default: 600)" },
      AS,
    ],
    examples: [
      "wait m_01ARZ3NDEKTSV4RRFFQ69G5FAV",
      "wait --idle codex --timeout 60",
      "wait --lock src/auth.ts",
    ],
    load: () => import("../commands/agents/wait.ts"),
  },
];
