import { hasLostText, isStub, sessionStartText, startText } from "../context_text/start_text.ts";
import { claimSession, fullAnswer } from "./claim_session.ts";
import { describe } from "../daemon/describe.ts";
import { injectable } from "../context_text/inject.ts";
import { localIdentity } from "../context_text/local_identity.ts";
import { answered, failed, type Outcome, type Run } from "../run.ts";

/** Claims the session, and prints what the agent should know from the start. */
export async function onSessionStart(run: Run): Promise<Outcome> {
  const { event, notes, profile, settings } = run;
  const note = notes.read(event.sessionKey);
  const reply = await claimSession(run, false);
  if (reply.kind === "ok") {
    if (reply.body.bypassed === true) return { ...answered(reply), outcome: "bypassed" };
    if (reply.body.skipped === true) return { ...answered(reply), outcome: "skipped" };
    // Without a note of the text, only a request without a session gets it again.
    const lost = hasLostText(profile, event.source) && note.inject === undefined;
    const answer = lost && isStub(reply.body) ? await fullAnswer(run, reply.body) : reply.body;
    const text = injectable(sessionStartText(answer), profile.maxInject);
    const start = startText(profile, note, { text, stub: isStub(answer) }, event.source);
    notes.write(event.sessionKey, start.note);
    return { ...answered(reply), outcome: start.outcome, print: start.print };
  }
  const outcome = failed(reply, settings.url);
  // Another path serves this session and gives it its text.
  if (outcome.outcome === "conflict") return outcome;
  // The first prompt is another chance: the daemon may be back by then.
  if (profile.injectAt === "first-prompt") return outcome;
  const lost = hasLostText(profile, event.source);
  if (note.given !== undefined && !lost) return outcome;
  // What the session knew before the compaction is better than the identity alone.
  if (note.inject !== undefined && lost) {
    return { ...outcome, outcome: `${outcome.outcome}, again`, print: note.inject };
  }
  const { summary } = describe(reply, settings.url);
  const print = injectable(localIdentity(settings, summary), profile.maxInject);
  if (print === "") return outcome;
  notes.write(event.sessionKey, { ...note, given: "local", ended: false });
  return { ...outcome, outcome: `${outcome.outcome}, local identity`, print };
}
