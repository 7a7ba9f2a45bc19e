import { ACCESS_0_145 } from "../access/access_rules.ts";
import { normalizeNested } from "../transcript/normalize.ts";
import { start145 } from "../session/inject.ts";
import { scoredPrompt } from "../session/prompts.ts";
import { SESSIONS_0_145 } from "../session/session_rules.ts";
import { MEMORY_0_145 } from "../memory/memory_rules.ts";
import type { Profile } from "./profile.ts";

/** Signet 0.145.7 as it answered, defects included. */
export const V0_145: Profile = {
  name: "0.145",
  version: "0.145.7",
  fullHealth: true,
  maxBodyBytes: 10 * 1024 * 1024,
  missing: [],
  access: ACCESS_0_145,
  sessions: SESSIONS_0_145,
  startText: start145,
  answerPrompt: scoredPrompt,
  memory: MEMORY_0_145,
  transcripts: { inline: true, normalize: normalizeNested, minChars: 1, fromPrompts: true },
};
