import type { EventName, HookEvent } from "./event.ts";
import { isObject } from "./json.ts";
import type { HookProfile } from "./profile.ts";
import { stripTags } from "./context_text/strip_tags.ts";

/** The field names that harnesses use; the first one that is not blank wins (contract, section 2). */
const ALIASES = {
  sessionKey: ["session_key", "sessionKey", "session_id", "sessionId"],
  prompt: ["user_message", "userMessage", "prompt", "user_prompt", "userPrompt", "message"],
  lastAssistant: [
    "last_assistant_message",
    "lastAssistantMessage",
    "assistant_message",
    "assistantMessage",
    "previous_assistant_message",
    "previousAssistantMessage",
  ],
  transcriptPath: ["transcript_path", "transcriptPath"],
  reason: ["reason"],
  source: ["source"],
  trigger: ["trigger"],
  summary: ["compact_summary", "compactSummary", "summary"],
  parentSessionKey: [
    "parent_session_key",
    "parentSessionKey",
    "parentKey",
    "parentId",
    "parentID",
    "parentAgentId",
  ],
  // The harness's sub-agent id. The settings alone decide whose memory is used.
  harnessAgentId: ["harness_agent_id", "harnessAgentId", "agent_id"],
  nativeName: ["hook_event_name", "hookEventName", "event"],
} as const;

/** Converts a harness's stdin to a common form. */
export function normalize(
  profile: Pick<HookProfile, "injectedTags">,
  event: EventName,
  raw: Record<string, unknown>,
  cwd: string,
): HookEvent {
  const result: HookEvent = { event, cwd };
  for (const [field, names] of Object.entries(ALIASES)) {
    const value = firstText(raw, names);
    if (value !== undefined) Object.assign(result, { [field]: value });
  }
  const count = raw.message_count ?? raw.messageCount;
  if (typeof count === "number") result.messageCount = count;
  result.lastAssistant ??= lastAssistantMessage(raw.messages);
  const transcript = conversation(raw.transcript);
  if (transcript !== undefined) result.transcript = transcript;
  // Only where it is used: an event that must arrive is on disk before text is cleaned.
  if (event === "user-prompt-submit") {
    // Kimi Code sends the prompt as a list of parts.
    const prompt = result.prompt ?? (Array.isArray(raw.prompt) ? messageText(raw.prompt) : "");
    if (prompt !== "") result.prompt = stripTags(prompt, profile.injectedTags ?? []);
  }
  return result;
}

/** No system has longer paths, and the directory is sent with every request. */
const MAX_PATH = 4096;

/** The project directory: from the flag or stdin, else the current directory. */
export function workingDirectory(raw: Record<string, unknown>, flag: string | undefined): string {
  const given = flag || firstText(raw, ["cwd", "project", "workspace_dir", "workspaceDir"]);
  if (given && given.length <= MAX_PATH && !given.includes("\0")) return given;
  try {
    return Deno.cwd();
  } catch {
    // The directory was removed.
    return "";
  }
}

function firstText(raw: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = raw[name];
    if (typeof value === "string" && value.trim() !== "") return value;
    // Some harnesses use numbers as session ids.
    if (typeof value === "number" && name.includes("ession")) return String(value);
  }
  return undefined;
}

/** The last assistant message in a list. */
function lastAssistantMessage(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return undefined;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = asMessage(messages[i]);
    if (message?.role === "assistant" && message.text.trim() !== "") return message.text;
  }
  return undefined;
}

/** An inline transcript: a string as it is, a list of messages as lines. */
function conversation(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (!Array.isArray(value)) return undefined;
  const lines = value.map(asMessage).filter((message) => message !== undefined)
    .map(({ role, text }) => `${role === "user" ? "User" : "Assistant"}: ${text}`);
  return lines.length === 0 ? undefined : lines.join("\n\n");
}

function asMessage(value: unknown): { role: "user" | "assistant"; text: string } | undefined {
  if (!isObject(value)) return undefined;
  const role = value.role ?? value.speaker;
  const text = messageText(value.content ?? value.text ?? value.message ?? value.parts);
  if (text === "") return undefined;
  if (role === "user" || role === "human") return { role: "user", text };
  if (role === "assistant" || role === "agent" || role === "model") return { role: "assistant", text };
  return undefined;
}

/** The text of a message's content: a string, or the text blocks of a list. */
export function messageText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts: string[] = [];
  for (const block of content) {
    if (typeof block === "string") parts.push(block);
    else if (isObject(block)) {
      const kind = block.type;
      const isText = kind === undefined || kind === "text" || kind === "input_text" || kind === "output_text";
      // A plugin marks the parts that it added.
      if (isText && typeof block.text === "string" && block.synthetic !== true) parts.push(block.text);
    }
  }
  return parts.join("\n");
}
