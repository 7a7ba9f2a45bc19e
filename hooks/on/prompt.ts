import { DOORBELL } from "../agents/wake/doorbell.ts";
import { isStub, promptText, sessionStartText } from "../context_text/start_text.ts";
import { claimSession, fullAnswer } from "./claim_session.ts";
import { describe } from "../daemon/describe.ts";
import { injectable } from "../context_text/inject.ts";
import { localIdentity } from "../context_text/local_identity.ts";
import { answered, type Attempt, failed, type Outcome, type Run } from "../run.ts";
import type { SessionNote } from "../state/session_notes.ts";
import type { UserPromptSubmitAnswer } from "../daemon/wire.ts";

/** A daemon that keeps forgetting a session gets at most one new claim in this time. */
const RECLAIM_MS = 60_000;

/** Prints what the daemon knows about the user's prompt, after the start text if that is still due. */
export async function onPrompt(run: Run): Promise<Outcome> {
  const { event, notes, profile, settings } = run;
  const note = notes.read(event.sessionKey);
  // A doorbell is not the user's: the daemon must neither search for it nor keep it.
  const isUsers = event.prompt?.trim() && event.prompt.trim() !== DOORBELL;
  const prompt = isUsers ? event.prompt : undefined;
  if (prompt === undefined && note.pending === undefined) return { outcome: "no prompt" };
  const context = await run.context();
  const reply = prompt === undefined
    ? undefined
    : await run.request((client, options) =>
      client.userPromptSubmit({
        sessionKey: event.sessionKey,
        project: event.cwd || undefined,
        userMessage: prompt,
        lastAssistantMessage: event.lastAssistant,
        requestContext: context,
      }, options)
    );
  const start = await dueStartText(run, note, reply);
  const about = reply?.kind === "ok" ? promptText(reply.body) : "";
  const print = injectable([start.text, about].filter((text) => text !== "").join("\n\n"), profile.maxInject);
  if (start.note !== note || note.ended) notes.write(event.sessionKey, { ...start.note, ended: false });
  if (reply === undefined) return { outcome: start.how ?? "no prompt", print };
  if (reply.kind !== "ok") return { ...failed(reply, settings.url), print };
  const { body } = reply;
  const plain = body.bypassed === true
    ? "bypassed"
    : body.skipped === true
    ? "skipped"
    : print
    ? "ok"
    : "empty";
  return {
    ...answered(reply),
    outcome: start.how === undefined ? plain : `${plain}, ${start.how}`,
    print,
  };
}

interface DueText {
  text: string;
  note: SessionNote;
  /** How the text was obtained, for the log. */
  how?: string;
}

/**
 * The session's start text, if it is still due: it waits for this prompt
 * (Gemini), or the daemon was down when the session began. A session that the
 * daemon forgot (it restarted) is claimed again, without repeating the text.
 */
async function dueStartText(
  run: Run,
  note: SessionNote,
  reply: Attempt<UserPromptSubmitAnswer> | undefined,
): Promise<DueText> {
  const { event, notes, profile, settings } = run;
  const nothing: DueText = { text: "", note };
  if (note.pending !== undefined) {
    const { pending, ...rest } = note;
    return { text: pending, note: { ...rest, given: "daemon", inject: pending }, how: "first text" };
  }
  // Without a working disk a missing note does not mean that the session has no text yet.
  const keepsNotes = () => {
    notes.write(event.sessionKey, note);
    return notes.works;
  };
  // Without a note, the session-start that runs at this moment is the one to claim it.
  const isStarting = profile.startsWithPrompt === true && Object.keys(note).length === 0;
  const forgotten = reply?.kind === "ok" && reply.body.sessionKnown === false && !isStarting;
  const atPrompt = profile.injectAt === "first-prompt";
  const due = note.given !== "daemon" && (atPrompt || note.given === "local" || forgotten) && keepsNotes();
  if (event.sessionKey === undefined || (!due && !forgotten)) return nothing;
  if (reply?.kind !== "ok") {
    if (!atPrompt || note.given !== undefined || reply === undefined) return nothing;
    const text = localIdentity(settings, describe(reply, settings.url).summary);
    return text === "" ? nothing : { text, note: { ...note, given: "local" }, how: "local identity" };
  }
  const age = Date.now() - (note.claimedAt ?? 0);
  if (!due && age >= 0 && age < RECLAIM_MS) return nothing;
  const claimed = await claimSession(run, !due);
  if (claimed.kind !== "ok") return nothing;
  const claimedNote = { ...note, claimedAt: Date.now() };
  if (!due) return { text: "", note: claimedNote, how: "claimed again" };
  // The daemon gave the text before, to a hook that had no time left to print it.
  const answer = isStub(claimed.body) ? await fullAnswer(run, claimed.body) : claimed.body;
  const text = injectable(sessionStartText(answer), profile.maxInject);
  if (text === "" || isStub(answer)) return { text: "", note: claimedNote, how: "claimed again" };
  return { text, note: { ...claimedNote, given: "daemon", inject: text }, how: "first text" };
}
