import type { AccessRules } from "../access/access_rules.ts";
import type { MemoryRules } from "../memory/memory_rules.ts";
import type { StartContext } from "../session/inject.ts";
import type { PromptRule } from "../session/prompts.ts";
import type { SessionRules } from "../session/session_rules.ts";
import type { TranscriptRules } from "../transcript/normalize.ts";

/** The daemons that the mock can be. `design` is what the contract asks for. */
export const PROFILE_NAMES = ["design", "0.145", "0.58"] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** What differs between the daemons. Everything else is the same in each of them. */
export interface Profile {
  readonly name: ProfileName;
  /** The version that the daemon reports. */
  readonly version: string;
  /** Whether /health and /api/harnesses have what was added after 0.58. */
  readonly fullHealth: boolean;
  /** A larger request is 413. */
  readonly maxBodyBytes: number;
  /** Routes that this daemon does not have. */
  readonly missing: readonly RegExp[];
  readonly access: AccessRules;
  readonly sessions: SessionRules;
  /** The full text of a session-start. */
  readonly startText: (context: StartContext) => string;
  readonly answerPrompt: PromptRule;
  readonly memory: MemoryRules;
  readonly transcripts: TranscriptRules;
}
