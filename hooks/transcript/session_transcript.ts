import type { TranscriptFormat } from "../profile.ts";
import { cleanTranscript, readTranscript } from "./transcript.ts";

/** Where a session's conversation is, and what in it is not part of the conversation. */
export interface TranscriptSource {
  /** The conversation itself, if the harness sent it. */
  readonly transcript?: string;
  /** Where it is on disk. */
  readonly transcriptPath?: string;
  readonly format: TranscriptFormat;
  /** The harness still writes: wait for it. A drain, which comes later, need not. */
  readonly isOpen?: boolean;
  readonly injectedTags?: readonly string[];
  /** Text that Signet put into the conversation without a tag around it. */
  readonly injected?: string;
}

/**
 * The session's conversation, in the form that daemons keep, without the text that
 * Signet injected. It is read here because the daemon may run on another machine.
 * Undefined if there is none.
 */
export async function sessionTranscript(
  source: TranscriptSource,
  stop: () => boolean,
): Promise<string | undefined> {
  const { transcript, transcriptPath, format, injectedTags, injected } = source;
  const rules = { transcript: format, injectedTags, injected };
  if (transcript !== undefined) return cleanTranscript(transcript, rules);
  return transcriptPath === undefined ? undefined : await readTranscript(transcriptPath, rules, stop);
}
