import { parseObject } from "../json.ts";
import type { HookProfile } from "../profile.ts";
import { removeText } from "../context_text/remove_text.ts";
import { stripTags } from "../context_text/strip_tags.ts";
import { sentForm, textMessages } from "./sent_form.ts";
import { type TailFile, tailFile, tailLines } from "./tail_lines.ts";
import { type Message, readLine } from "./transcript_line.ts";

/** The daemon summarises at most this much (contract, 1.5). */
export const MAX_TRANSCRIPT_CHARS = 100_000;
/** How far back to read: stored prompts and tool results lie between the messages. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** Tags around text that Signet, or a harness on its behalf, put into the conversation. */
const INJECTED_TAGS = ["system-reminder", "hook_context", "signet-memory-context", "memory-feedback"];

interface Rules extends Pick<HookProfile, "transcript" | "injectedTags"> {
  /** Text that Signet put into the conversation without a tag around it. */
  readonly injected?: string;
}

/**
 * The newest part of a conversation, in the form that daemons keep (`sentForm`).
 * Undefined if there is none. Never throws, and never opens a FIFO or a device.
 * `stop` ends the reading early and keeps what was read.
 */
export async function readTranscript(
  path: string,
  rules: Rules,
  stop: () => boolean = () => false,
): Promise<string | undefined> {
  try {
    const named = await Deno.stat(path);
    if (!named.isFile) return undefined;
    using file = await Deno.open(path);
    const stat = await file.stat();
    const tail = tailFile(file, stat.size);
    // Gemini CLI up to 0.38 keeps a chat as one document.
    const whole = rules.transcript === "gemini" && path.endsWith(".json");
    return await conversation(tail, rules, stop, whole ? document(tail) : undefined);
  } catch {
    return undefined;
  }
}

/** Parsing cannot be interrupted, so a larger document is skipped. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** The text of a file that is one JSON document. */
async function* document(file: TailFile): AsyncGenerator<string> {
  if (file.size > MAX_DOCUMENT_BYTES) return;
  const bytes = new Uint8Array(file.size);
  const n = await file.read(bytes, 0);
  yield new TextDecoder().decode(bytes.subarray(0, n)).trimStart();
}

export async function conversation(
  file: TailFile,
  rules: Rules,
  stop: () => boolean,
  lines: AsyncGenerator<string> = tailLines(file, MAX_READ_BYTES),
): Promise<string | undefined> {
  const format = rules.transcript;
  if (format === "text") return await plainTail(file, rules);
  const newestFirst: Message[] = [];
  const known = new Set<string>();
  let left = MAX_TRANSCRIPT_CHARS;
  reading:
  for await (const line of lines) {
    if (stop()) break;
    const parsed = line.startsWith("{") ? parseObject(line) : undefined;
    if (parsed === undefined) continue;
    const { messages, whole } = readLine(format, parsed);
    for (const { role, text, id } of messages.reverse()) {
      // Reading backwards, the first one is the complete one.
      if (id !== undefined && known.has(id)) continue;
      if (id !== undefined) known.add(id);
      const clean = cleaned(text, rules);
      if (clean === "") continue;
      const room = left - LABEL_CHARS;
      if (room <= 0) break reading;
      newestFirst.push({ role, text: clean.length <= room ? clean : clean.slice(-room).toWellFormed() });
      left = room - clean.length;
    }
    if (whole) break;
  }
  return sentForm(format, newestFirst.reverse()) || undefined;
}

/** `Assistant: ` and the blank line after a message. */
const LABEL_CHARS = 13;

/** A transcript that the harness sent inline, cleaned in the same way. */
export function cleanTranscript(
  text: string,
  rules: Omit<Rules, "transcript"> & Partial<Rules>,
): string | undefined {
  const clean = bounded(cleaned(text, rules));
  if (clean === undefined || rules.transcript !== "codex") return clean;
  return sentForm("codex", textMessages(clean)) || undefined;
}

function cleaned(text: string, { injectedTags = [], injected }: Omit<Rules, "transcript">): string {
  const untagged = stripTags(text, [...INJECTED_TAGS, ...injectedTags]);
  return injected ? removeText(untagged, injected).trim() : untagged;
}

async function plainTail(file: TailFile, rules: Rules): Promise<string | undefined> {
  // A character takes at most four bytes in UTF-8.
  const length = Math.min(file.size, MAX_TRANSCRIPT_CHARS * 4);
  const bytes = new Uint8Array(length);
  const n = await file.read(bytes, file.size - length);
  let text = new TextDecoder().decode(bytes.subarray(0, n));
  if (length < file.size) text = text.slice(text.indexOf("\n") + 1);
  return bounded(cleaned(text.toWellFormed(), rules));
}

/** The newest part, starting at a line break. */
function bounded(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (trimmed.length <= MAX_TRANSCRIPT_CHARS) return trimmed;
  const tail = trimmed.slice(-MAX_TRANSCRIPT_CHARS);
  const start = tail.indexOf("\n");
  return (start === -1 || start > tail.length / 2 ? tail : tail.slice(start + 1)).toWellFormed().trimStart();
}
