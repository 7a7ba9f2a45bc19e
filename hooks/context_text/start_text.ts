import type { HookProfile } from "../profile.ts";
import type { SessionNote } from "../state/session_notes.ts";
import type { SessionStartAnswer, UserPromptSubmitAnswer } from "../daemon/wire.ts";

/** The text in a session-start answer. Newer daemons (C) split it; all of them send `inject`. */
export function sessionStartText(answer: SessionStartAnswer): string {
  const split = [answer.stableSystemPrompt, answer.dynamicContext].filter(isText).join("\n");
  return split !== "" ? split : isText(answer.inject) ? answer.inject : "";
}

/** The text in a prompt answer. */
export function promptText(answer: UserPromptSubmitAnswer): string {
  if (isText(answer.dynamicContext)) return answer.dynamicContext;
  return isText(answer.inject) ? answer.inject : "";
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/**
 * Whether this is the daemon's answer to a repeated session-start: the date and
 * the commands, without identity and memories. Its first words do not tell: the
 * full text of 0.58 begins with the same `[memory active`.
 */
export function isStub(answer: SessionStartAnswer): boolean {
  const text = sessionStartText(answer);
  if (text === "" || text.length > STUB_CHARS) return false;
  if (Array.isArray(answer.memories) && answer.memories.length > 0) return false;
  if (isText(answer.recentContext)) return false;
  // The short identity of a new agent without a name: every part of it has a heading.
  if (/^## /m.test(text)) return false;
  const name = answer.identity?.name;
  return name === undefined || name === "Agent";
}

/** A stub has 104 characters; this leaves room for a longer date, and none for an identity. */
const STUB_CHARS = 400;

/** Whether a session that starts for this reason has lost the text that it once got. */
export function hasLostText(
  profile: Pick<HookProfile, "keepsContext">,
  source: string | undefined,
): boolean {
  return source === "compact" || source === "clear" || profile.keepsContext === false;
}

export interface StartText {
  print: string;
  note: SessionNote;
  outcome: "ok" | "empty" | "stub" | "again" | "repeat" | "pending";
}

/**
 * What a session-start prints, given what the session has received before.
 *
 * A harness keeps the injected text in its history, so a resumed session still
 * has it and must not get it twice (seen in Codex). The text is lost after a
 * compaction or a clear, and in a harness that does not keep it
 * (`keepsContext: false`). Then it is printed again, from the session note if
 * the daemon sends only its stub.
 */
export function startText(
  profile: Pick<HookProfile, "injectAt" | "keepsContext">,
  note: SessionNote,
  { text, stub }: { text: string; stub: boolean },
  source: string | undefined,
): StartText {
  const lost = hasLostText(profile, source);
  const hasText = note.given === "daemon";
  const atFirstPrompt = profile.injectAt === "first-prompt";
  // The session is live again, so its next end is a new one.
  const kept: SessionNote = { ...note, ended: false };
  if (stub) {
    const again = lost ? note.inject : undefined;
    if (again === undefined) {
      // The stub holds the date and the commands: short and current, so repeating it is fine.
      return { print: atFirstPrompt ? "" : text, note: kept, outcome: "stub" };
    }
    if (atFirstPrompt) return { print: "", note: { ...kept, pending: again }, outcome: "pending" };
    return { print: again, note: kept, outcome: "again" };
  }
  // The daemon forgot the session (a restart, another version); the harness did not.
  if (hasText && !lost) return { print: "", note: kept, outcome: "repeat" };
  if (text.trim() === "") return { print: "", note: { ...kept, given: "daemon" }, outcome: "empty" };
  if (atFirstPrompt) {
    return { print: "", note: { ...kept, given: undefined, pending: text }, outcome: "pending" };
  }
  return { print: text, note: { ...kept, given: "daemon", inject: text }, outcome: "ok" };
}
