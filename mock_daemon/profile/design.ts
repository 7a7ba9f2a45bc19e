import { STRICT_ACCESS } from "../access/access_rules.ts";
import { normalizeNested } from "../transcript/normalize.ts";
import { designStart } from "../session/inject.ts";
import { designPrompt } from "../session/prompts.ts";
import { SESSIONS_DESIGN } from "../session/session_rules.ts";
import { MEMORY_DESIGN } from "../memory/memory_rules.ts";
import type { Profile } from "./profile.ts";

/** What the contract asks for: scoping is enforced everywhere. */
export const DESIGN: Profile = {
  name: "design",
  version: "0.145.7",
  fullHealth: true,
  maxBodyBytes: 10 * 1024 * 1024,
  missing: [],
  access: STRICT_ACCESS,
  sessions: SESSIONS_DESIGN,
  startText: designStart,
  answerPrompt: designPrompt,
  memory: MEMORY_DESIGN,
  transcripts: { inline: true, normalize: normalizeNested, minChars: 1, fromPrompts: false },
};
