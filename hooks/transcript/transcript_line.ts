import { isObject } from "../json.ts";
import { messageText } from "../normalize.ts";
import type { TranscriptFormat } from "../profile.ts";

export interface Message {
  role: "user" | "assistant";
  text: string;
  /** For harnesses that write a message again when it is complete. */
  id?: string;
}

/** The messages in one line of a transcript, oldest first; `whole` if earlier lines no longer count. */
export interface LineContent {
  messages: Message[];
  whole?: boolean;
}

type Fields = Record<string, unknown>;

/** Reads the messages of a parsed line; other kinds of lines have none. */
export function readLine(format: Exclude<TranscriptFormat, "text">, line: Fields): LineContent {
  switch (format) {
    case "claude-code":
      return single(claudeCode(line));
    case "codex":
      return single(codex(line));
    case "gemini":
      return gemini(line);
    case "copilot":
      return single(copilot(line));
    case "qwen":
      return single(qwen(line));
    case "kimi":
      return single(kimi(line));
    case "pi":
      return single(pi(line));
  }
}

function single(message: Message | undefined): LineContent {
  return { messages: message === undefined ? [] : [message] };
}

function claudeCode(line: Fields): Message | undefined {
  const type = line.type;
  if (type !== "user" && type !== "assistant") return undefined;
  // Sub-agents, the program's remarks, and the summary of an earlier part.
  if (line.isSidechain === true || line.isMeta === true || line.isCompactSummary === true) return undefined;
  return message(type, messageText(fields(line.message).content));
}

function codex(line: Fields): Message | undefined {
  if (line.type !== "response_item") return undefined;
  const payload = fields(line.payload);
  if (payload.type !== "message" || (payload.role !== "user" && payload.role !== "assistant")) {
    return undefined;
  }
  return message(payload.role, messageText(payload.content));
}

function copilot(line: Fields): Message | undefined {
  // A sub-agent's messages, and those that a skill or the autopilot wrote in the user's place.
  if (line.agentId !== undefined) return undefined;
  const { content, source, isAutopilotContinuation } = fields(line.data);
  if (line.type === "assistant.message") return message("assistant", messageText(content));
  if (line.type !== "user.message" || source !== undefined || isAutopilotContinuation === true) {
    return undefined;
  }
  return message("user", messageText(content));
}

function qwen(line: Fields): Message | undefined {
  const { role, parts } = fields(line.message);
  // The model's thoughts are parts, too.
  const said = Array.isArray(parts) ? parts.filter((part) => fields(part).thought !== true) : [];
  if (line.type === "assistant" && role === "model") return message("assistant", messageText(said));
  if (line.type !== "user" || line.provenance !== "real_user") return undefined;
  // What the user typed; the parts hold the hooks' text as well.
  const { displayText } = fields(line.systemPayload);
  return message("user", typeof displayText === "string" ? displayText : messageText(said));
}

function kimi(line: Fields): Message | undefined {
  if (line.type === "context.append_message") {
    const { role, content, origin } = fields(line.message);
    // Hooks and reminders have the user's role, and another origin.
    const isUser = role === "user" && fields(origin).kind === "user";
    return isUser ? message("user", messageText(content)) : undefined;
  }
  if (line.type !== "context.append_loop_event") return undefined;
  const { type, part } = fields(line.event);
  return type === "content.part" ? message("assistant", messageText([part])) : undefined;
}

function pi(line: Fields): Message | undefined {
  if (line.type !== "message") return undefined;
  const { role, content } = fields(line.message);
  if (role !== "user" && role !== "assistant") return undefined;
  return message(role, messageText(content));
}

function gemini(line: Fields): LineContent {
  // A whole chat in one document has its messages at the top.
  const replaced = fields(line.$set).messages ?? line.messages;
  if (Array.isArray(replaced)) {
    return {
      messages: replaced.map((item) => geminiMessage(fields(item))).filter((m) => m !== undefined),
      whole: true,
    };
  }
  return single(geminiMessage(line));
}

function geminiMessage(line: Fields): Message | undefined {
  if (line.type !== "user" && line.type !== "gemini") return undefined;
  const entry = message(line.type === "user" ? "user" : "assistant", messageText(line.content));
  return entry && typeof line.id === "string" ? { ...entry, id: line.id } : entry;
}

/** How a harness starts text that the user did not write. */
const NOISE = [
  "# AGENTS.md instructions",
  "<environment_context>",
  "<user_instructions>",
  "<session_context>",
  "<hook_prompt",
  "<command-name>",
  "<command-message>",
  "<local-command-stdout>",
  "<local-command-caveat>",
  "Caveat: The messages below",
];

function message(role: Message["role"], text: string): Message | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (role === "user" && NOISE.some((start) => trimmed.startsWith(start))) return undefined;
  return { role, text: trimmed };
}

function fields(value: unknown): Fields {
  return isObject(value) ? value : {};
}
