import type { EventName, HookEvent } from "../../../hooks/event.ts";
import type { HookProfile } from "../../../hooks/profile.ts";

/**
 * How a hook hands text to its harness: `text` prints it as it is, `line` adds a
 * newline, `prose` makes sure that the harness does not read it as JSON, `context`
 * wraps it in `hookSpecificOutput`, `top-level context` does not.
 */
export type OutputFormat = "text" | "line" | "prose" | "context" | "top-level context";

/** One format for every event, or one per event; an event without a format prints nothing. */
export type Output = OutputFormat | { readonly [E in EventName]?: OutputFormat };

/** The text in the format of an event; "" prints nothing. */
export function renderOutput(
  output: Output,
  events: HookProfile["events"],
  event: HookEvent,
  text: string,
): string {
  const format = typeof output === "string" ? output : output[event.event];
  if (text === "" || format === undefined) return "";
  if (format === "line") return `${text}\n`;
  if (format === "text") return text;
  // Claude Code takes output that starts with a brace for a decision, such as blocking the compaction.
  if (format === "prose") return /^\s*[{[]/.test(text) ? `Keep this in the summary:\n${text}` : text;
  if (format === "top-level context") return JSON.stringify({ additionalContext: text });
  // The harness drops the text unless the answer repeats the event's name.
  const hookEventName = event.nativeName ?? events[event.event]?.native;
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } });
}
