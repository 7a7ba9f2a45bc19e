import { tidy } from "../context_text/inject.ts";
import { transcriptOf } from "./session_end.ts";
import { failed, type Outcome, type Run } from "../run.ts";

/** Asks what a compaction's summary should keep. */
export async function onPreCompaction(run: Run): Promise<Outcome> {
  const { event, profile } = run;
  const context = run.context();
  const reply = await run.ask((client, options) =>
    client.preCompaction({
      sessionKey: event.sessionKey,
      project: event.cwd || undefined,
      messageCount: event.messageCount,
      requestContext: context,
    }, options)
  );
  if (reply.kind !== "ok") return failed(reply);
  const said = { status: reply.status, daemonMs: reply.ms, answered: true };
  const prompt = reply.body.summaryPrompt ?? reply.body.instructions;
  const print = typeof prompt === "string" ? tidy(prompt, profile.maxInject) : "";
  return {
    ...said,
    outcome: reply.body.bypassed ? "bypassed" : reply.body.skipped ? "skipped" : "ok",
    print,
  };
}

/** Saves a session that may never tell us its end; once every so many turns. */
export async function onCheckpoint(run: Run): Promise<Outcome> {
  const { event, notes, profile } = run;
  const { sessionKey } = event;
  if (sessionKey === undefined) return { outcome: "no input" };
  const note = notes.read(sessionKey);
  const turns = (note.turns ?? 0) + 1;
  const every = profile.checkpointEvery ?? 1;
  if (turns < every) {
    notes.write(sessionKey, { ...note, turns, ended: false });
    return { outcome: `turn ${turns} of ${every}` };
  }
  const transcript = await transcriptOf(run, note.inject);
  if (transcript === undefined) return { outcome: "no transcript" };
  const context = run.context();
  const reply = await run.ask((client, options) =>
    client.checkpoint(
      { sessionKey, project: event.cwd || undefined, transcript, requestContext: context },
      options,
    )
  );
  if (reply.kind !== "ok") return failed(reply);
  notes.write(sessionKey, { ...note, turns: 0, ended: false });
  return {
    outcome: reply.body.skipped ? "skipped" : "ok",
    status: reply.status,
    daemonMs: reply.ms,
    answered: true,
  };
}
