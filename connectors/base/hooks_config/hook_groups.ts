/**
 * What Claude Code, Codex and Gemini CLI share: `{"hooks": {EVENT: [GROUP]}}`,
 * where a group is `{"hooks": [HANDLER]}`, and an answer in `hookSpecificOutput`.
 */
import type { HookEvent } from "../../../hooks/event.ts";
import type { HookProfile } from "../../../hooks/profile.ts";
import { isObject } from "../../../hooks/json.ts";
import { isOurHook, isOurMcp, splitCommand } from "./hook_command.ts";
import type { Edit, Json } from "../edit/edit.ts";
import type { Harness, Site } from "../harness.ts";

type Words = Pick<Harness, "id" | "binary">;
type JsonObject = { [key: string]: Json };

export { isObject };

/** The words that a handler or server entry runs, whether it has `args` or is one shell command. */
export function argvOf(entry: Json): string[] | undefined {
  if (!isObject(entry) || typeof entry.command !== "string") return undefined;
  if (entry.args === undefined) return splitCommand(entry.command);
  if (!Array.isArray(entry.args)) return undefined;
  return [entry.command, ...entry.args.filter((arg) => typeof arg === "string")];
}

export function ownsHandler(harness: Words, handler: Json): boolean {
  return isOurHook(harness, argvOf(handler));
}

export function ownsServer(harness: Words, server: Json): boolean {
  return isOurMcp(harness, argvOf(server));
}

/** One group of ours at the end of each event's list; `handler` says how this harness writes a command. */
export function hookGroups(
  harness: Words & Pick<HookProfile, "events">,
  site: Site,
  handler: (argv: string[], native: string, timeoutMs: number) => JsonObject,
): Edit[] {
  return Object.entries(harness.events).map(([event, { native, timeoutMs }]) => ({
    kind: "item",
    path: ["hooks", native],
    value: { hooks: [{ type: "command", ...handler(site.argv("hook", event), native, timeoutMs) }] },
    inner: "hooks",
    owns: (item) => ownsHandler(harness, item),
  }));
}

/** Context for the model. The event's own name has to be echoed: with another one the text is dropped. */
export function additionalContext(
  profile: Pick<HookProfile, "events">,
  event: HookEvent,
  text: string,
): string {
  const hookEventName = event.nativeName ?? profile.events[event.event]?.native;
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } });
}
