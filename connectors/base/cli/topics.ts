/** Help that does not belong to a single command. */
export interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly rows: readonly (readonly [string, string])[];
  /** Paragraphs below the rows. */
  readonly after: readonly string[];
}

export const TOPICS: readonly Topic[] = [
  {
    name: "exit-codes",
    summary: "What the exit codes mean",
    rows: [
      ["0", "success"],
      ["1", "failed; the message says why (health, status, doctor: installed, but the hooks cannot run)"],
      ["2", "invalid command line: a flag, a URL, an agent id"],
      [
        "3",
        "degraded: it works, but something needs attention (health, status, doctor); no answer yet (send --wait, wait)",
      ],
      [
        "4",
        "refused: the mode does not allow it; nothing was read or written. send: nobody is there, and the message waits",
      ],
      ["5", "one of your files cannot be edited safely; nothing was written"],
      ["6", "the daemon rejects the key"],
      ["7", "the daemon cannot be reached"],
      ["130", "stopped with Ctrl-C"],
    ],
    after: ["A hook always exits 0, because harnesses treat other codes as a veto."],
  },
  {
    name: "environment",
    summary: "Environment variables",
    rows: [
      [
        "SIGNET_DAEMON_URL",
        "the daemon's URL; overrides the stored one. One on another machine needs SIGNET_API_KEY too",
      ],
      [
        "SIGNET_HOST, SIGNET_PORT",
        "the daemon's host and port, over http; used if SIGNET_DAEMON_URL is not set",
      ],
      ["SIGNET_API_KEY, SIGNET_TOKEN", "the API key; the stored key is only sent to the stored daemon"],
      [
        "SIGNET_AGENT_ID",
        "the agent id, where the harness passes it on to its hooks; `agent set` gives a directory an agent",
      ],
      [
        "CLAUDE_CODE_SESSION_ID, GEMINI_SESSION_ID",
        "set by the harness: the session that send, inbox, reply and wait act as",
      ],
      ["SIGNET_AGENT_HOP", "set by send --start: how many agents are between a person and this run"],
      ["SIGNET_CALLER", "the harness's process id; hook commands set it where a shell runs them"],
      ["SIGNET_PATH, SIGNET_WORKSPACE", "the Signet workspace"],
      ["SIGNET_WORKSPACE_NAME", "a name for this environment, such as work; sent with each event"],
      ["SIGNET_CONNECTOR_MODE", "readonly, write or admin: the highest mode that a call may use"],
      ["SIGNET_AUDIT_LOG", "a file that gets one line per command that can write, including uninstall"],
      ["SIGNET_NO_HOOKS=1", "hooks exit immediately (also SIGNET_BYPASS=1)"],
      ["SIGNET_LOCKS", "off, on, auto or strict: how file locks are enforced; overrides agents.yaml"],
      ["SIGNET_SESSION_START_TIMEOUT", "milliseconds; capped at the harness's own timeout"],
      ["SIGNET_PROMPT_SUBMIT_TIMEOUT", "the same for prompts"],
      ["SIGNET_FETCH_TIMEOUT", "the same for every request that a hook waits for"],
      ["HTTP_PROXY, HTTPS_PROXY, NO_PROXY", "used, except for a daemon on this machine"],
      ["NO_COLOR", "disables color"],
      ["COLUMNS", "the output width; overrides the terminal's width"],
      ["XDG_CONFIG_HOME, XDG_STATE_HOME", "where Signet's files are stored"],
    ],
    after: [],
  },
  {
    name: "files",
    summary: "The files that are written",
    rows: [
      ["~/.local/bin/<binary>", "the program that the hooks run"],
      ["~/.config/signet/connectors/<harness>.json", "URL, agents and their keys (readable only by you)"],
      ["~/.local/state/signet/<harness>/ledger.json", "what install changed, for uninstall"],
      ["~/.local/state/signet/<harness>/backups/", "your original files"],
      ["~/.local/state/signet/<harness>/spool/", "events that the daemon has not confirmed yet"],
      ["~/.local/state/signet/<harness>/sessions/", "state of running sessions"],
      [
        "~/.local/state/signet/<harness>/last_inject.json",
        "the text that a hook last gave to the model (readable only by you); shown by log --last",
      ],
      [
        "~/.local/state/signet/agents/",
        "with install --agents: live sessions, messages between agents and their history (readable only by you)",
      ],
      [
        "~/.config/signet/agents.yaml",
        "rules for agents, if you make one: by hand or with agents config (docs/agents.md)",
      ],
      [
        ".signet/agents.yaml",
        "the same in a repository, with agents.local.yaml beside it; they may only tighten your rules",
      ],
      [
        "~/.local/state/signet/<harness>/live/",
        "sessions that have not ended, and where their transcripts are",
      ],
      [
        "~/.local/state/signet/<harness>/transcripts/",
        "OpenCode, OpenClaw and pi: conversations of sessions that have not ended",
      ],
      [
        "~/.local/state/signet/<harness>/hook.log",
        "one line per hook, per write of an MCP tool and per command that can write; contains no keys and no content",
      ],
    ],
    after: [
      "On Windows they are under APPDATA and LOCALAPPDATA. You can delete all of them without losing memories that the daemon has stored.",
      "uninstall also removes hook.log. To keep a record, set SIGNET_AUDIT_LOG=FILE, which gets the same lines.",
    ],
  },
  {
    name: "modes",
    summary: "readonly, write, admin",
    rows: [
      ["readonly", "can read: status, doctor, health, recall"],
      ["write", "can also install, uninstall, sync, remember (default)"],
      ["admin", "can also create and revoke API keys"],
    ],
    after: [
      "--mode sets the mode for one call, SIGNET_CONNECTOR_MODE for automation; the flag cannot exceed the variable. A refused command changes nothing and exits 4. If the variable is readonly, hooks do nothing and exit 0.",
    ],
  },
];
