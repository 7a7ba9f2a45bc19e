import { firstText, sessionText } from "../context_text/first_text.ts";
import { tidy } from "../context_text/inject.ts";
import { localIdentity } from "../context_text/local_identity.ts";
import { failed, type Outcome, type Run, whyLocal } from "../run.ts";

export async function onSessionStart(run: Run): Promise<Outcome> {
  const { event, notes, profile } = run;
  const note = notes.read(event.sessionKey);
  const reply = await claim(run, false);
  if (reply.kind === "ok") {
    const said = { status: reply.status, daemonMs: reply.ms, answered: true };
    if (reply.body.bypassed === true) return { ...said, outcome: "bypassed" };
    if (reply.body.skipped === true) return { ...said, outcome: "skipped" };
    const text = tidy(sessionText(reply.body), profile.maxInject);
    const first = firstText(profile, note, text, event.source);
    notes.write(event.sessionKey, first.note);
    return { ...said, outcome: first.outcome, print: first.print };
  }
  const outcome = failed(reply);
  // Another path has this session, and gives it its text.
  if (outcome.outcome === "conflict") return outcome;
  // At the first prompt there is another chance, with the daemon perhaps back.
  if (profile.injectAt === "first-prompt") return outcome;
  const lost = event.source === "compact" || event.source === "clear" || profile.keepsContext === false;
  if (note.given !== undefined && !lost) return outcome;
  // What the session knew before the compaction is better than the bare identity.
  if (note.inject !== undefined && lost) {
    return { ...outcome, outcome: `${outcome.outcome}, again`, print: note.inject };
  }
  const print = tidy(localIdentity(run.settings, whyLocal(reply)), profile.maxInject);
  if (print === "") return outcome;
  notes.write(event.sessionKey, { ...note, given: "local", ended: false });
  return { ...outcome, outcome: `${outcome.outcome}, local identity`, print };
}

/** The session-start call itself; `claimOnly` where only the claim is wanted (C honours it, others ignore it). */
export function claim(run: Run, claimOnly: boolean) {
  const { event } = run;
  const context = run.context();
  return run.ask((client, options) =>
    client.sessionStart({
      sessionKey: event.sessionKey,
      project: event.cwd || undefined,
      source: event.source,
      harnessAgentId: event.harnessAgentId,
      parentSessionKey: event.parentSessionKey,
      claimOnly: claimOnly || undefined,
      requestContext: context,
    }, options)
  );
}
