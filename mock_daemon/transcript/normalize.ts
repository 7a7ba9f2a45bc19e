import { isObject, type JsonObject, text } from "../json.ts";

/** The real daemon does not summarise shorter transcripts. */
export const SUMMARY_MIN_CHARS = 500;
export const SUMMARY_MAX_CHARS = 100_000;

function parseLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Codex: `event_msg`/`user_message` and `item.completed`/`agent_message`. */
function codexTurn(line: JsonObject): string | undefined {
  const payload = isObject(line.payload) ? line.payload : line;
  if (line.type === "event_msg" && payload.type === "user_message") {
    return `User: ${text(payload.message) ?? text(payload.text) ?? ""}`;
  }
  const item = isObject(line.item) ? line.item : undefined;
  if (line.type === "item.completed" && item?.type === "agent_message") {
    return `Assistant: ${text(item.text) ?? ""}`;
  }
  return undefined;
}

function contentText(value: unknown): string | undefined {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) {
    return text(
      value.map((part) => isObject(part) ? text(part.text) ?? "" : "").filter((part) => part !== "").join(
        "\n",
      ),
    );
  }
  return isObject(value) ? contentText(value.content) ?? contentText(value.text) : undefined;
}

function plainTurn(line: JsonObject): string | undefined {
  const inner = isObject(line.message) ? line.message : line;
  const role = text(inner.role) ?? text(inner.speaker) ?? text(line.type);
  const content = contentText(inner.content) ?? contentText(inner.text) ?? contentText(inner.message);
  if (role === undefined || content === undefined) return undefined;
  return `${/^(user|human)$/i.test(role) ? "User" : "Assistant"}: ${content}`;
}

/** Converts JSON lines to `User: …` and `Assistant: …` lines; other text is returned trimmed. */
export function normalizeTranscript(raw: string, harness: string): string {
  const lines = raw.split("\n").filter((line) => line.trim() !== "");
  const parsed = lines.map(parseLine).filter((line) => line !== undefined);
  if (lines.length === 0 || parsed.length / lines.length < 0.6) return raw.trim();
  const turn = harness === "codex" ? (line: JsonObject) => codexTurn(line) ?? plainTurn(line) : plainTurn;
  return parsed.map(turn).filter((line) => line !== undefined).join("\n");
}

/** Summarises a session by its first question and its last answer, which is enough for a mock. */
export function digest(transcript: string): string {
  const lines = transcript.split("\n");
  const asked = lines.find((line) => line.startsWith("User: "))?.slice(6) ?? lines[0] ?? "";
  const answered = lines.findLast((line) => line.startsWith("Assistant: "))?.slice(11) ?? lines.at(-1) ?? "";
  return `The user asked: ${asked.slice(0, 300)}\nIt ended with: ${answered.slice(0, 300)}`;
}
