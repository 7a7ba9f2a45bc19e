import { EVENT_NAMES, type EventName } from "../../../hooks/event.ts";
import { splitCommand } from "../hooks_config/hook_command.ts";
import type { Edit, Json } from "../edit/edit.ts";
import type { Harness, Site } from "../harness.ts";
import { isObject } from "../../../hooks/json.ts";

/** One of our hooks as the harness runs it: through a shell, or as a program with arguments. */
export interface Call {
  readonly event: EventName;
  readonly shell?: string;
  readonly argv: readonly string[];
}

function hookCall(handler: Json): Call | undefined {
  const command = isObject(handler) ? handler.command : handler;
  if (typeof command !== "string") return undefined;
  const args = isObject(handler) && Array.isArray(handler.args)
    ? handler.args.filter((arg) => typeof arg === "string")
    : undefined;
  const argv = args ? [command, ...args] : splitCommand(command);
  const event = EVENT_NAMES.find((name) => name === argv?.[2]);
  if (argv === undefined || event === undefined) return undefined;
  return { event, argv, ...args ? {} : { shell: command } };
}

function installedHandlers(config: Json | undefined, edit: Extract<Edit, { kind: "item" }>): Json[] {
  const value = edit.path.reduce<Json | undefined>((at, key) => isObject(at) ? at[key] : undefined, config);
  const items = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const { inner } = edit;
  const handlers = inner === undefined
    ? items
    : items.flatMap((group) => isObject(group) && Array.isArray(group[inner]) ? group[inner] : []);
  return handlers.filter((handler) => edit.owns(handler));
}

/**
 * The hook commands in the config. A harness with a Signet plugin has none there:
 * the plugin runs the program itself, with these arguments.
 */
export function installedCalls(harness: Harness, site: Site): Call[] {
  const calls: Call[] = [];
  let inConfig = false;
  for (const target of harness.targets(site)) {
    if (target.kind !== "edit") continue;
    const keys = target.edits.map(({ path: [key = ""] }) => key);
    const config = site.peek(target.path, target.format, keys);
    for (const edit of target.edits) {
      if (edit.kind !== "item" || hookCall(firstHandler(edit)) === undefined) continue;
      inConfig = true;
      calls.push(...installedHandlers(config, edit).map(hookCall).filter((call) => call !== undefined));
    }
  }
  if (inConfig) return calls;
  return EVENT_NAMES.filter((event) => site.events[event])
    .map((event) => ({ event, argv: site.argv("hook", event) }));
}

/** The handler that an edit adds to the config, without the group around it. */
function firstHandler({ value, inner }: Extract<Edit, { kind: "item" }>): Json {
  const handlers = inner !== undefined && isObject(value) ? value[inner] : undefined;
  return Array.isArray(handlers) ? handlers[0] ?? null : value;
}
