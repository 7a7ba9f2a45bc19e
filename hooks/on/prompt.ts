import { isStub, promptText, sessionText } from "../context_text/first_text.ts";
import { tidy } from "../context_text/inject.ts";
import { localIdentity } from "../context_text/local_identity.ts";
import { claim } from "./session_start.ts";
import { failed, type Outcome, type Run, whyLocal } from "../run.ts";
import type { SessionNote } from "../state/session_notes.ts";

/** A daemon that keeps denying a session it was just told of is not told again for this long. */
const RECLAIM_MS = 60_000;

export async function onPrompt(run: Run): Promise<Outcome> {
  const { event, notes, profile } = run;
  const note = notes.read(event.sessionKey);
  const prompt = event.prompt?.trim() ? event.prompt : undefined;
  if (prompt === undefined && note.pending === undefined) return { outcome: "no prompt" };
  const context = run.context();
  const reply = prompt === undefined
    ? undefined
    : await run.ask((client, options) =>
      client.userPromptSubmit({
        sessionKey: event.sessionKey,
        project: event.cwd || undefined,
        userMessage: prompt,
        lastAssistantMessage: event.lastAssistant,
        requestContext: context,
      }, options)
    );
  const ok = reply?.kind === "ok" ? reply : undefined;
  const first = await textForFirst(run, note, ok?.body.sessionKnown, ok !== undefined, reply);
  const said = ok === undefined ? "" : promptText(ok.body);
  const print = tidy([first.text, said].filter((text) => text !== "").join("\n\n"), profile.maxInject);
  if (first.note !== note || note.ended) notes.write(event.sessionKey, { ...first.note, ended: false });
  if (reply === undefined) return { outcome: first.how ?? "no prompt", print };
  if (reply.kind !== "ok") return { ...failed(reply), print };
  const { body } = reply;
  const plain = body.bypassed === true
    ? "bypassed"
    : body.skipped === true
    ? "skipped"
    : print
    ? "ok"
    : "empty";
  return {
    outcome: first.how === undefined ? plain : `${plain}, ${first.how}`,
    print,
    status: reply.status,
    daemonMs: reply.ms,
    answered: true,
  };
}

interface First {
  text: string;
  note: SessionNote;
  how?: string;
}

/**
 * The session's first text, where it is still owed: it waits for this prompt
 * (Gemini), or the daemon was away when the session began. A session that the
 * daemon forgot (it restarted) is claimed again, and told nothing twice.
 */
async function textForFirst(
  run: Run,
  note: SessionNote,
  known: boolean | undefined,
  answered: boolean,
  reply: Awaited<ReturnType<Run["ask"]>> | undefined,
): Promise<First> {
  const { event, notes, profile } = run;
  // Where no note can be kept, a missing one does not say that the session was told nothing.
  const keepsNotes = () => {
    notes.write(event.sessionKey, note);
    return notes.works;
  };
  if (note.pending !== undefined) {
    const { pending, ...rest } = note;
    return { text: pending, note: { ...rest, given: "daemon", inject: pending }, how: "first text" };
  }
  const atPrompt = profile.injectAt === "first-prompt";
  const told = note.given === "daemon";
  const owed = !told && (atPrompt || note.given === "local" || known === false) && keepsNotes();
  if (event.sessionKey === undefined || (!owed && known !== false)) return { text: "", note };
  if (!answered) {
    if (!atPrompt || note.given !== undefined || reply === undefined || reply.kind === "ok") {
      return { text: "", note };
    }
    const text = localIdentity(run.settings, whyLocal(reply));
    return text === "" ? { text, note } : { text, note: { ...note, given: "local" }, how: "local identity" };
  }
  const age = Date.now() - (note.claimedAt ?? 0);
  if (!owed && age >= 0 && age < RECLAIM_MS) return { text: "", note };
  const claimed = await claim(run, !owed);
  if (claimed.kind !== "ok") return { text: "", note };
  const claimedNote = { ...note, claimedAt: Date.now() };
  const text = tidy(sessionText(claimed.body), profile.maxInject);
  if (!owed || text === "" || isStub(text)) return { text: "", note: claimedNote, how: "claimed again" };
  return { text, note: { ...claimedNote, given: "daemon", inject: text }, how: "first text" };
}
