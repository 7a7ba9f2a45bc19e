import { isObject, type JsonObject, text } from "../json.ts";

/** The real daemon does not summarise shorter transcripts. */
export const SUMMARY_MIN_CHARS = 500;
export const SUMMARY_MAX_CHARS = 100_000;

/** What a daemon keeps of the transcripts it receives. */
export interface TranscriptRules {
  /** Reads the `transcript` of a request; otherwise only the file at `transcriptPath`. */
  readonly inline: boolean;
  /** Converts a transcript to `User: …` and `Assistant: …` lines; the rest is lost. */
  readonly normalize: (raw: string, harness: string) => string;
  /** Shorter transcripts are not kept. */
  readonly minChars: number;
  /** Prompts are kept too, before the session ends. */
  readonly fromPrompts: boolean;
}

function parseLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The first of these fields that is a non-blank string, on one line. */
function field(line: JsonObject, names: readonly string[]): string | undefined {
  const value = names.map((name) => text(line[name])).find((value) => value !== undefined);
  return value?.trim().replace(/[\r\n]+/g, " ");
}

/** The two kinds of Codex lines that are kept: `event_msg`/`user_message` and `item.completed`/`agent_message`. */
function codexTurn(line: JsonObject, more: readonly string[] = []): string | undefined {
  const { payload, item } = line;
  if (line.type === "event_msg" && isObject(payload) && payload.type === "user_message") {
    const said = field(payload, ["message", ...more]);
    return said === undefined ? undefined : `User: ${said}`;
  }
  if (line.type === "item.completed" && isObject(item) && item.type === "agent_message") {
    const said = field(item, ["text", ...more]);
    return said === undefined ? undefined : `Assistant: ${said}`;
  }
  return undefined;
}

const ANY_TEXT = ["content", "text", "message"];

function flatTurn(line: JsonObject): string | undefined {
  const role = field(line, ["role", "speaker"])?.toLowerCase();
  const content = field(line, ANY_TEXT);
  if (content === undefined || (role !== "user" && role !== "assistant")) return undefined;
  return `${role === "user" ? "User" : "Assistant"}: ${content}`;
}

const LABELS: Readonly<Record<string, readonly string[]>> = {
  User: ["user", "human", "client"],
  Assistant: ["assistant", "agent", "model", "ai"],
  System: ["system", "developer"],
  Tool: ["tool", "toolresult", "tool_result", "bashexecution", "pythonexecution", "custom"],
};

function partTexts(line: JsonObject): string {
  const parts = Array.isArray(line.content) ? line.content : Array.isArray(line.parts) ? line.parts : [];
  return parts.map((part) =>
    isObject(part) ? field(part, ["text", "input_text", "content", "message"]) : field({ part }, ["part"])
  ).filter((part) => part !== undefined).join(" ");
}

/** A turn with a role, at the top level or inside `message`. */
function nestedTurn(line: JsonObject): string | undefined {
  for (const place of [line.message, line]) {
    if (!isObject(place)) continue;
    const role = field(place, ["role", "speaker", "author"])?.toLowerCase() ?? "";
    const label = Object.keys(LABELS).find((name) => LABELS[name]?.includes(role));
    const content = field(place, [...ANY_TEXT, "output"]) ?? partTexts(place);
    if (label !== undefined && content !== "") return `${label}: ${content}`;
  }
  return undefined;
}

function normalizer(turn: (line: JsonObject) => string | undefined): TranscriptRules["normalize"] {
  return (raw, harness) => {
    const lines = raw.split(/\r?\n/).filter((line) => line.trim() !== "");
    const parsed = lines.map(parseLine).filter((line) => line !== undefined);
    const join = (read: (line: JsonObject) => string | undefined) =>
      parsed.map(read).filter((line) => line !== undefined).join("\n");
    if (harness.trim().toLowerCase() === "codex") return join((line) => codexTurn(line));
    // Text that is not JSON lines is kept as it is.
    if (parsed.length < Math.ceil(lines.length * 0.6)) return raw.trim();
    return join((line) => codexTurn(line, ANY_TEXT) ?? turn(line));
  };
}

/** 0.58: roles and texts are strings at the top level, so a Claude Code transcript file is read as nothing. */
export const normalizeFlat = normalizer(flatTurn);
/** 0.145: also the messages inside of Claude Code's lines, and texts in parts. */
export const normalizeNested = normalizer(nestedTurn);

/** Summarises a session by its first question and its last answer, which is enough for a mock. */
export function digest(transcript: string): string {
  const lines = transcript.split("\n");
  const asked = lines.find((line) => line.startsWith("User: "))?.slice(6) ?? lines[0] ?? "";
  const answered = lines.findLast((line) => line.startsWith("Assistant: "))?.slice(11) ?? lines.at(-1) ?? "";
  return `The user asked: ${asked.slice(0, 300)}\nIt ended with: ${answered.slice(0, 300)}`;
}
