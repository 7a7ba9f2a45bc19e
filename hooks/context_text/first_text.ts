import type { HookProfile } from "../profile.ts";
import type { SessionNote } from "../state/session_notes.ts";
import type { SessionStartAnswer, UserPromptSubmitAnswer } from "../daemon/wire.ts";

/** The text in a session-start answer. Newer daemons (C) split it; all still send `inject`. */
export function sessionText(answer: SessionStartAnswer): string {
  const split = [answer.stableSystemPrompt, answer.dynamicContext].filter(isText).join("\n");
  return split !== "" ? split : isText(answer.inject) ? answer.inject : "";
}

export function promptText(answer: UserPromptSubmitAnswer): string {
  if (isText(answer.dynamicContext)) return answer.dynamicContext;
  return isText(answer.inject) ? answer.inject : "";
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** The daemon's answer to a second session-start of one session: a line and the date, no memories. */
export function isStub(text: string): boolean {
  return /^\s*(?:<signet-memory-context>\s*)?\[memory active\b/.test(text);
}

export interface FirstText {
  print: string;
  note: SessionNote;
  outcome: "ok" | "empty" | "stub" | "again" | "repeat" | "pending";
}

/**
 * What a session-start prints, given what the session was told before.
 *
 * A harness keeps what it was given in its own history, so a resumed session
 * still has it, and telling it again would double it (seen in Codex). It has
 * lost it after a compaction or a clear, and where our text never enters the
 * history (`keepsContext: false`): there the text is given again, from the note
 * if the daemon answers only its stub.
 */
export function firstText(
  profile: Pick<HookProfile, "injectAt" | "keepsContext">,
  note: SessionNote,
  text: string,
  source: string | undefined,
): FirstText {
  const lost = source === "compact" || source === "clear" || profile.keepsContext === false;
  const told = note.given === "daemon";
  // Whatever the session ends with next is a new end.
  const kept: SessionNote = { ...note, ended: false };
  if (isStub(text)) {
    const again = lost ? note.inject : undefined;
    if (again === undefined) {
      // The stub has the date and the commands: short, current, worth a repeat.
      return later(profile)
        ? { print: "", note: kept, outcome: "stub" }
        : { print: text, note: kept, outcome: "stub" };
    }
    if (later(profile)) return { print: "", note: { ...kept, pending: again }, outcome: "pending" };
    return { print: again, note: kept, outcome: "again" };
  }
  // The daemon forgot the session (a restart, another version); the harness did not.
  if (told && !lost) return { print: "", note: kept, outcome: "repeat" };
  if (text.trim() === "") return { print: "", note: { ...kept, given: "daemon" }, outcome: "empty" };
  if (later(profile)) {
    return { print: "", note: { ...kept, given: undefined, pending: text }, outcome: "pending" };
  }
  return { print: text, note: { ...kept, given: "daemon", inject: text }, outcome: "ok" };
}

function later(profile: Pick<HookProfile, "injectAt">): boolean {
  return profile.injectAt === "first-prompt";
}
