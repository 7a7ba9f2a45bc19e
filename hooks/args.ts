import { AGENT_EVENT_NAMES, type AgentEventName, isAgentEvent } from "./agents/event.ts";
import { EVENT_NAMES, type EventName } from "./event.ts";

export type HookArgs =
  | { kind: "event"; event: EventName; project?: string; harness?: string; mode?: string }
  | { kind: "agent"; event: AgentEventName; project?: string; harness?: string; mode?: string }
  | { kind: "drain"; harness?: string; mode?: string }
  | { kind: "help" }
  | { kind: "usage"; problem: string };

/** The flags that every command accepts: those without a value, and those with one. */
const BARE = new Set(["--json", "-q", "--quiet", "-h", "--help"]);
const VALUED = new Set(["--mode", "-H", "--harness"]);

/**
 * The arguments of a hook call without `hook`, or undefined for another command.
 * Global flags may come before the command name: without this, `--json hook …`
 * would be a usage error with exit code 2, which blocks the prompt.
 */
export function hookCall(args: readonly string[]): string[] | undefined {
  let at = 0;
  while (at < args.length) {
    const [flag = "", inline] = split(args[at] ?? "");
    if (BARE.has(flag)) at++;
    else if (VALUED.has(flag)) at += inline === undefined ? 2 : 1;
    else break;
  }
  return args[at] === "hook" ? [...args.slice(0, at), ...args.slice(at + 1)] : undefined;
}

/** Parses the arguments after `hook` by hand: loading a library would cost more than the hook. */
export function parseHookArgs(args: readonly string[]): HookArgs {
  const rest = args[0] === "hook" ? args.slice(1) : [...args];
  let name: string | undefined;
  const flags: { project?: string; harness?: string; mode?: string } = {};
  for (let i = 0; i < rest.length; i++) {
    const arg = rest[i] ?? "";
    const [flag = "", inline] = split(arg);
    if (arg === "--help" || arg === "-h") return { kind: "help" };
    else if (flag === "--project" || flag === "--mode" || flag === "--harness" || flag === "-H") {
      const value = inline ?? rest[++i];
      if (flag === "--project") flags.project = value;
      else if (flag === "--mode") flags.mode = value;
      else flags.harness = value;
    } else if (!arg.startsWith("-") && name === undefined) name = arg;
    // Ignore anything else: it may be a flag of another version.
  }
  if (name === "drain") return { kind: "drain", harness: flags.harness, mode: flags.mode };
  const event = EVENT_NAMES.find((known) => known === name);
  if (event !== undefined) return { kind: "event", event, ...flags };
  if (isAgentEvent(name)) return { kind: "agent", event: name, ...flags };
  return { kind: "usage", problem: `hook takes one of ${EVENT_NAMES.join(", ")}; got ${name ?? "nothing"}` };
}

function split(arg: string): [string, string?] {
  const at = arg.startsWith("--") ? arg.indexOf("=") : -1;
  return at === -1 ? [arg] : [arg.slice(0, at), arg.slice(at + 1)];
}

export const HOOK_HELP = `Called by the harness. Reads one JSON object from stdin, calls the Signet daemon,
and prints what the agent should know. Always exits 0, except for wait-for-messages,
which wakes an idle agent with exit code 2.

Usage: <bin> hook EVENT [--project DIR] [-H HARNESS]

Events: ${EVENT_NAMES.join(", ")}
With install --agents: ${AGENT_EVENT_NAMES.join(", ")}

Environment:
  SIGNET_DAEMON_URL, SIGNET_API_KEY, SIGNET_AGENT_ID   override the installed settings
  SIGNET_SESSION_START_TIMEOUT, SIGNET_PROMPT_SUBMIT_TIMEOUT, SIGNET_FETCH_TIMEOUT   in ms
  SIGNET_NO_HOOKS=1 or SIGNET_BYPASS=1                 do nothing
  SIGNET_CONNECTOR_MODE=readonly                       do nothing: a hook writes (also --mode readonly)
`;
