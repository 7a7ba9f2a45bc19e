/**
 * The hook config that Claude Code, Codex, Gemini CLI and Qwen Code share:
 * `{"hooks": {EVENT: [GROUP]}}`, where a group is `{"hooks": [HANDLER]}`.
 */
import { isObject } from "../../../hooks/json.ts";
import type { Edit, Json } from "../edit/edit.ts";
import type { Harness, HarnessEvent, Site } from "../harness.ts";
import { isOurHook, splitCommand } from "./hook_command.ts";
import { exceptTools } from "./tool_matcher.ts";

type JsonObject = { [key: string]: Json };

/** The command line of a handler or server entry, whether it has `args` or is one shell command. */
export function argvOf(entry: Json): string[] | undefined {
  if (!isObject(entry)) return undefined;
  const { command = entry.powershell } = entry;
  if (typeof command !== "string") return undefined;
  if (entry.args === undefined) return splitCommand(command.replace(/^& /, ""));
  if (!Array.isArray(entry.args)) return undefined;
  return [command, ...entry.args.filter((arg) => typeof arg === "string")];
}

/** Whether a handler calls one of our hooks for this harness. */
export function ownsHandler(harness: Pick<Harness, "id" | "binary">, handler: Json): boolean {
  return isOurHook(harness, argvOf(handler));
}

/**
 * Our group at the end of the list of each event that the installed version knows,
 * the events of the agent mesh included; `handler` is the form of a command in this harness.
 */
export function hookGroups(
  harness: Pick<Harness, "id" | "binary">,
  site: Pick<Site, "events" | "agentEvents">,
  handler: (event: string, at: HarnessEvent) => JsonObject,
): Edit[] {
  return hookEntries(harness, site).map(({ event, at, optional, owns }) => ({
    kind: "item",
    path: ["hooks", at.native],
    optional,
    value: { ...matcherOf(at), hooks: [{ type: "command", ...handler(event, at) }] },
    inner: "hooks",
    // A handler with `args` is not a shell command: one form must replace the other.
    replaced: ["args"],
    owns,
  }));
}

/** Our handler at the end of the list of each event, for a harness whose lists have no groups. */
export function hookItems(
  harness: Pick<Harness, "id" | "binary">,
  site: Pick<Site, "events" | "agentEvents">,
  handler: (event: string, at: HarnessEvent) => JsonObject,
): Edit[] {
  return hookEntries(harness, site).map(({ event, at, optional, owns }) => ({
    kind: "item",
    path: ["hooks", at.native],
    optional,
    value: { type: "command", ...matcherOf(at), ...handler(event, at) },
    owns,
  }));
}

function matcherOf({ except }: HarnessEvent): { matcher?: string } {
  return except === undefined ? {} : { matcher: exceptTools(except) };
}

interface HookEntry {
  readonly event: string;
  readonly at: HarnessEvent;
  /** Whether an install without it is complete, too. */
  readonly optional: boolean;
  /** Whether a handler in the harness's list for this event is this hook of ours. */
  owns(handler: Json): boolean;
}

/** The hooks to install. */
export function hookEntries(
  harness: Pick<Harness, "id" | "binary">,
  { events, agentEvents }: Pick<Site, "events" | "agentEvents">,
): HookEntry[] {
  const all = [
    ...Object.entries(events).map(([event, at]) => ({ event, at, isAgents: false })),
    ...Object.entries(agentEvents).map(([event, at]) => ({ event, at, isAgents: true })),
  ];
  return all.map(({ event, at, isAgents }) => ({
    event,
    at,
    optional: isAgents || at.since !== undefined || at.before !== undefined,
    // Several of our hooks can run at one event of the harness.
    owns: (handler) =>
      ownsHandler(harness, handler) &&
      (isEvent(handler, event) ||
        !all.some((other) => other.event !== event && other.at.native === at.native)),
  }));
}

function isEvent(handler: Json, event: string): boolean {
  return argvOf(handler)?.[2] === event;
}
