import { record, records } from "./daemon.ts";
import { plainText } from "../../../hooks/context_text/plain_text.ts";
import { truncate } from "../../../hooks/context_text/truncate.ts";

/** A memory from the daemon, with the fields that we show. */
export interface Memory {
  readonly id: string;
  readonly content: string;
  readonly type?: string;
  readonly tags?: string;
  readonly project?: string;
  readonly created?: string;
  readonly pinned?: boolean;
  readonly importance?: number;
  readonly score?: number;
  /** The agent that it belongs to; 0.58 and 0.145 do not say. */
  readonly agentId?: string;
  /** The daemon returned only the beginning. */
  readonly truncated?: boolean;
}

export function readMemory(value: unknown): Memory | undefined {
  const raw = record(value);
  if (!raw || (typeof raw.id !== "string" && typeof raw.id !== "number")) return undefined;
  const text = (key: string) => plainText(raw[key]).replaceAll("\n", " ").trim() || undefined;
  const number = (key: string) => typeof raw[key] === "number" ? raw[key] : undefined;
  return {
    id: plainText(String(raw.id)).replaceAll("\n", ""),
    content: plainText(raw.content).trim(),
    type: text("type"),
    // Tags are one string in some daemons and a list in others.
    tags: Array.isArray(raw.tags) ? raw.tags.map(plainText).filter(Boolean).join(",") : text("tags"),
    project: text("project"),
    created: text("created_at") ?? text("createdAt"),
    // SQLite returns 0 and 1.
    pinned: raw.pinned === true || raw.pinned === 1,
    importance: number("importance"),
    score: number("score"),
    agentId: text("agent_id") ?? text("agentId"),
    truncated: raw.truncated === true,
  };
}

/** The memories in a response; routes use different names for the list. */
export function readMemories(body: unknown): Memory[] {
  const list = Array.isArray(body) ? body : record(body)?.results ?? record(body)?.memories;
  return records(list).flatMap((item) => readMemory(item) ?? []);
}

/** One memory: its content, then a line of metadata. */
export function showMemory(memory: Memory, most: number): string {
  const facts = [
    memory.type,
    memory.created?.slice(0, 10),
    memory.pinned ? "pinned" : undefined,
    memory.tags ? `tags ${memory.tags}` : undefined,
    memory.project ? `project ${memory.project}` : undefined,
    memory.score === undefined ? undefined : `score ${memory.score.toFixed(2)}`,
    `id ${memory.id}`,
  ];
  const content = truncate(memory.content, most, "");
  const cut = memory.truncated || content.length < memory.content.length ? "… [cut]" : "";
  return `- ${content.replaceAll("\n", "\n  ")}${cut}\n  (${facts.filter(Boolean).join(" · ")})`;
}

/** A list within a budget of characters, with the number of memories that did not fit. */
export function showMemories(memories: readonly Memory[], budget: number, each = 2000): string {
  const shown: string[] = [];
  let used = 0;
  for (const memory of memories) {
    const text = showMemory(memory, each);
    if (shown.length > 0 && used + text.length > budget) break;
    shown.push(text);
    used += text.length;
  }
  const left = memories.length - shown.length;
  return shown.join("\n") +
    (left > 0 ? `\n(${left} more did not fit; lower the limit or narrow the search)` : "");
}
