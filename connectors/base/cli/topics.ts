/** Longer help that belongs to no single command. */
export const TOPICS: readonly { name: string; summary: string; text: string }[] = [
  {
    name: "exit-codes",
    summary: "What the exit codes mean",
    text: `0  done; all good
1  failed; the message says why
2  the command line is wrong: a flag, a URL, an agent id
3  degraded: it works, but something wants attention (status, doctor, health)
4  refused: the mode does not allow it; nothing was read or written
5  a file of yours cannot be edited safely; nothing was written
6  the daemon rejects the key
7  the daemon cannot be reached

A hook always exits 0: a harness takes other codes as a veto.
`,
  },
  {
    name: "environment",
    summary: "The variables that are read",
    text: `SIGNET_DAEMON_URL              the daemon; before the stored one
SIGNET_API_KEY, SIGNET_TOKEN   the key; the stored key goes to the stored daemon only
SIGNET_AGENT_ID                the agent; a second agent in one home sets this and its key
SIGNET_PATH, SIGNET_WORKSPACE  the Signet workspace
SIGNET_CONNECTOR_MODE          readonly, write or admin: the most that a call may do
SIGNET_NO_HOOKS=1              hooks do nothing, at once (also SIGNET_BYPASS=1)
SIGNET_SESSION_START_TIMEOUT   milliseconds; can shorten a hook's time, never lengthen it
SIGNET_PROMPT_SUBMIT_TIMEOUT   the same for prompts
SIGNET_FETCH_TIMEOUT           the same for everything else
HTTP_PROXY, HTTPS_PROXY, NO_PROXY   honoured, but never for a daemon on this machine
NO_COLOR                       no colour
XDG_CONFIG_HOME, XDG_STATE_HOME     where our files are
`,
  },
  {
    name: "files",
    summary: "Which files are written, and where",
    text: `~/.local/bin/<binary>                         the program that the hooks call
~/.config/signet/connectors/<harness>.json    URL, key, agent id (only you can read it)
~/.local/state/signet/<harness>/ledger.json   what install changed, for uninstall
~/.local/state/signet/<harness>/backups/      your files as they were
~/.local/state/signet/<harness>/spool/        events that the daemon has not confirmed yet
~/.local/state/signet/<harness>/sessions/     what running sessions were told
~/.local/state/signet/<harness>/hook.log      one line per hook, without keys and texts

On Windows they are under APPDATA and LOCALAPPDATA. All of it may be deleted
without losing a memory that the daemon has.
`,
  },
  {
    name: "modes",
    summary: "readonly, write, admin",
    text: `readonly  may look: status, doctor, health, recall
write     may also install, uninstall, sync, remember (the default)
admin     may also create and revoke API keys

--mode sets it for one call, SIGNET_CONNECTOR_MODE for automation; the flag
cannot go above the variable. A refused command changes nothing and exits 4.
`,
  },
];
