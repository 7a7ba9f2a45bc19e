import { projectFacts } from "../daemon/context.ts";
import { isObject } from "../json.ts";
import type { TranscriptFormat } from "../profile.ts";
import { awaitEnd } from "../transcript/await_end.ts";
import { sessionTranscript, type TranscriptSource } from "../transcript/session_transcript.ts";
import type { SpoolEntry } from "./spool.ts";

/** What still has to be read for an event: files that others wrote, which may be slow, huge or hostile. */
export interface Unfinished {
  /** The session's directory; "" if it is unknown. */
  readonly cwd: string;
  /** Undefined for an event without a conversation. */
  readonly conversation?: TranscriptSource;
  /** Without a conversation there is nothing to record. */
  readonly needsConversation?: boolean;
}

/**
 * The entry with the conversation and the project's git facts, or `empty` if it
 * needs a conversation and there is none. `stop` ends the reading early; undefined
 * if the harness has not written the conversation by then.
 */
export async function finishEntry(
  entry: SpoolEntry,
  unfinished: Unfinished,
  stop: () => boolean,
): Promise<SpoolEntry | "empty" | undefined> {
  const { cwd, conversation, needsConversation } = unfinished;
  const open = conversation?.isOpen === true ? conversation.transcriptPath : undefined;
  if (open !== undefined && !await awaitEnd(open, stop)) return undefined;
  const transcript = conversation === undefined ? undefined : await sessionTranscript(conversation, stop);
  if (needsConversation && transcript === undefined) return "empty";
  const { requestContext } = entry.body;
  const project = cwd === "" ? undefined : await projectFacts(cwd);
  return {
    ...entry,
    body: {
      ...entry.body,
      ...(transcript === undefined ? {} : { transcript }),
      ...(isObject(requestContext) ? { requestContext: { ...requestContext, project } } : {}),
    },
  };
}

const FORMATS: Record<TranscriptFormat, true> = {
  "claude-code": true,
  codex: true,
  gemini: true,
  copilot: true,
  qwen: true,
  kimi: true,
  pi: true,
  text: true,
};

/** What a draft says is still to be read; undefined if it says nothing, or something else. */
export function parseUnfinished(value: unknown): Unfinished | undefined {
  if (!isObject(value) || typeof value.cwd !== "string") return undefined;
  return {
    cwd: value.cwd,
    conversation: parseSource(value.conversation),
    needsConversation: value.needsConversation === true,
  };
}

function parseSource(value: unknown): TranscriptSource | undefined {
  if (!isObject(value) || !isFormat(value.format)) return undefined;
  const { format, injectedTags } = value;
  return {
    format,
    transcript: text(value.transcript),
    transcriptPath: text(value.transcriptPath),
    injected: text(value.injected),
    injectedTags: Array.isArray(injectedTags)
      ? injectedTags.filter((tag) => typeof tag === "string")
      : undefined,
  };
}

function isFormat(value: unknown): value is TranscriptFormat {
  return typeof value === "string" && Object.hasOwn(FORMATS, value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
