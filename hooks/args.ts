import { EVENT_NAMES, type EventName } from "./event.ts";

export type HookArgs =
  | { kind: "event"; event: EventName; project?: string; harness?: string }
  | { kind: "drain"; harness?: string }
  | { kind: "help" }
  | { kind: "usage"; problem: string };

/** The few words after `hook`, read by hand: a library would cost more than the hook. */
export function parseHookArgs(args: readonly string[]): HookArgs {
  const rest = args[0] === "hook" ? args.slice(1) : [...args];
  let name: string | undefined;
  const flags: { project?: string; harness?: string } = {};
  for (let i = 0; i < rest.length; i++) {
    const arg = rest[i] ?? "";
    const [flag = "", inline] = split(arg);
    if (arg === "--help" || arg === "-h") return { kind: "help" };
    else if (flag === "--project" || flag === "--harness" || flag === "-H") {
      const value = inline ?? rest[++i];
      if (flag === "--project") flags.project = value;
      else flags.harness = value;
    } else if (!arg.startsWith("-") && name === undefined) name = arg;
    // Anything else is another version's flag: a hook that stops over it helps nobody.
  }
  if (name === "drain") return { kind: "drain", harness: flags.harness };
  const event = EVENT_NAMES.find((known) => known === name);
  if (event !== undefined) return { kind: "event", event, ...flags };
  return { kind: "usage", problem: `hook takes one of ${EVENT_NAMES.join(", ")}; got ${name ?? "nothing"}` };
}

function split(arg: string): [string, string?] {
  const at = arg.startsWith("--") ? arg.indexOf("=") : -1;
  return at === -1 ? [arg] : [arg.slice(0, at), arg.slice(at + 1)];
}

export const HOOK_HELP = `Called by the harness. Reads one JSON object from stdin, asks the Signet daemon,
prints what the agent should know. Always exits 0.

Usage: <bin> hook EVENT [--project DIR] [-H HARNESS]

Events: ${EVENT_NAMES.join(", ")}

Environment:
  SIGNET_DAEMON_URL, SIGNET_API_KEY, SIGNET_AGENT_ID   other than installed
  SIGNET_SESSION_START_TIMEOUT, SIGNET_PROMPT_SUBMIT_TIMEOUT, SIGNET_FETCH_TIMEOUT   in ms
  SIGNET_NO_HOOKS=1 or SIGNET_BYPASS=1                 do nothing
  SIGNET_CONNECTOR_MODE=readonly                       do nothing: a hook writes
`;
