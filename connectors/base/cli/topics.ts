/** Longer help that belongs to no single command. */
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
      ["0", "done; all good"],
      ["1", "failed; the message says why (status, doctor: installed once, and the hooks cannot run)"],
      ["2", "the command line is wrong: a flag, a URL, an agent id"],
      ["3", "degraded: it works, but something wants attention (status, doctor, health)"],
      ["4", "refused: the mode does not allow it; nothing was read or written"],
      ["5", "a file of yours cannot be edited safely; nothing was written"],
      ["6", "the daemon rejects the key"],
      ["7", "the daemon cannot be reached"],
    ],
    after: ["A hook always exits 0: a harness takes other codes as a veto."],
  },
  {
    name: "environment",
    summary: "The variables that are read",
    rows: [
      ["SIGNET_DAEMON_URL", "the daemon; before the stored one"],
      ["SIGNET_HOST, SIGNET_PORT", "the same in two parts, over http; where SIGNET_DAEMON_URL is not set"],
      ["SIGNET_API_KEY, SIGNET_TOKEN", "the key; the stored key goes to the stored daemon only"],
      ["SIGNET_AGENT_ID", "the agent; a second agent in one home sets this and its key"],
      ["SIGNET_PATH, SIGNET_WORKSPACE", "the Signet workspace"],
      ["SIGNET_WORKSPACE_NAME", "a name for where this is, such as work; sent with each event"],
      ["SIGNET_CONNECTOR_MODE", "readonly, write or admin: the most that a call may do"],
      ["SIGNET_AUDIT_LOG", "a file that gets one line for each command that may write, uninstall included"],
      ["SIGNET_NO_HOOKS=1", "hooks do nothing, at once (also SIGNET_BYPASS=1)"],
      ["SIGNET_SESSION_START_TIMEOUT", "milliseconds; never above the harness's own timeout"],
      ["SIGNET_PROMPT_SUBMIT_TIMEOUT", "the same for prompts"],
      ["SIGNET_FETCH_TIMEOUT", "the same for every request that a hook waits for"],
      ["HTTP_PROXY, HTTPS_PROXY, NO_PROXY", "honoured, but never for a daemon on this machine"],
      ["NO_COLOR", "no colour"],
      ["COLUMNS", "the width to write for; before the terminal's own"],
      ["XDG_CONFIG_HOME, XDG_STATE_HOME", "where our files are"],
    ],
    after: [],
  },
  {
    name: "files",
    summary: "Which files are written, and where",
    rows: [
      ["~/.local/bin/<binary>", "the program that the hooks call"],
      ["~/.config/signet/connectors/<harness>.json", "URL, key, agent id (only you can read it)"],
      ["~/.local/state/signet/<harness>/ledger.json", "what install changed, for uninstall"],
      ["~/.local/state/signet/<harness>/backups/", "your files as they were"],
      ["~/.local/state/signet/<harness>/spool/", "events that the daemon has not confirmed yet"],
      ["~/.local/state/signet/<harness>/sessions/", "what running sessions were told"],
      [
        "~/.local/state/signet/<harness>/hook.log",
        "one line per hook, per write of the MCP tools and per command that may write, without keys and texts",
      ],
    ],
    after: [
      "On Windows they are under APPDATA and LOCALAPPDATA. All of it may be deleted without losing a memory that the daemon has.",
      "uninstall removes hook.log with the rest; SIGNET_AUDIT_LOG=FILE keeps the same lines where you want them.",
    ],
  },
  {
    name: "modes",
    summary: "readonly, write, admin",
    rows: [
      ["readonly", "may look: status, doctor, health, recall"],
      ["write", "may also install, uninstall, sync, remember (the default)"],
      ["admin", "may also create and revoke API keys"],
    ],
    after: [
      "--mode sets it for one call, SIGNET_CONNECTOR_MODE for automation; the flag cannot go above the variable. A refused command changes nothing and exits 4. With the variable at readonly a hook does nothing and, as always, exits 0.",
    ],
  },
];
