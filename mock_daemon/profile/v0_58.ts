import { ACCESS_0_58 } from "../access/access_rules.ts";
import { normalizeFlat, SUMMARY_MIN_CHARS } from "../transcript/normalize.ts";
import { start058 } from "../session/inject.ts";
import { recallPrompt } from "../session/prompts.ts";
import { SESSIONS_0_58 } from "../session/session_rules.ts";
import { MEMORY_0_58 } from "../memory/memory_rules.ts";
import type { Profile } from "./profile.ts";

/** Signet 0.58.1 as it answered, defects included. It has neither API keys nor agents. */
export const V0_58: Profile = {
  name: "0.58",
  version: "0.58.1",
  fullHealth: false,
  maxBodyBytes: 32 * 1024 * 1024,
  missing: [
    /^\/api\/auth\/(methods|login|api-keys)(\/|$)/,
    /^\/api\/agents(\/|$)/,
    /^\/api\/hooks\/session-checkpoint-extract$/,
    /^\/api\/sessions\/[^/]+\/(renew|transcript)$/,
    /^\/api\/knowledge\/expand\/session$/,
    /^\/api\/sessions\/search$/,
  ],
  access: ACCESS_0_58,
  sessions: SESSIONS_0_58,
  startText: start058,
  answerPrompt: recallPrompt,
  memory: MEMORY_0_58,
  // It summarises a transcript only from a file that it can open, and keeps nothing else of it.
  transcripts: { inline: false, normalize: normalizeFlat, minChars: SUMMARY_MIN_CHARS, fromPrompts: false },
};
