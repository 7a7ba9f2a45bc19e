import { answered, failed, type Outcome, type Run } from "../run.ts";
import { sessionTranscript } from "../transcript/session_transcript.ts";

/** Saves the conversation of a session whose end may never be reported. */
export async function onCheckpoint(run: Run): Promise<Outcome> {
  const { event, notes, profile, settings, deadline } = run;
  const { sessionKey, transcriptPath } = event;
  if (sessionKey === undefined) return { outcome: "no input" };
  const note = notes.read(sessionKey);
  const reserve = deadline.left() / 2;
  const transcript = await sessionTranscript({
    transcript: event.transcript,
    transcriptPath,
    format: profile.transcript,
    injectedTags: profile.injectedTags,
    injected: note.inject,
  }, () => deadline.left() < reserve);
  if (transcript === undefined) return { outcome: "no transcript" };
  const context = await run.context();
  const reply = await run.request((client, options) =>
    client.checkpoint(
      { sessionKey, project: event.cwd || undefined, transcript, requestContext: context },
      options,
    )
  );
  if (reply.kind !== "ok") return failed(reply, settings.url);
  notes.write(sessionKey, { ...note, ended: false });
  return { ...answered(reply), outcome: reply.body.skipped ? "skipped" : "ok" };
}
