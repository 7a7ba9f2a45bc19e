import { injectable } from "../context_text/inject.ts";
import { answered, failed, type Outcome, type Run } from "../run.ts";

/** Asks the daemon what a compaction's summary should keep. */
export async function onPreCompaction(run: Run): Promise<Outcome> {
  const { event, profile, settings } = run;
  if (profile.restoresAt === "next-prompt") restoreAtPrompt(run);
  const context = await run.context();
  const reply = await run.request((client, options) =>
    client.preCompaction({
      sessionKey: event.sessionKey,
      project: event.cwd || undefined,
      messageCount: event.messageCount,
      requestContext: context,
    }, options)
  );
  if (reply.kind !== "ok") return failed(reply, settings.url);
  const prompt = reply.body.summaryPrompt ?? reply.body.instructions;
  return {
    ...answered(reply),
    outcome: reply.body.bypassed ? "bypassed" : reply.body.skipped ? "skipped" : "ok",
    print: typeof prompt === "string" ? injectable(prompt, profile.maxInject) : "",
  };
}

/** The compaction drops the session's start text: the next prompt prints it again. */
function restoreAtPrompt({ event, notes }: Run): void {
  const note = notes.read(event.sessionKey);
  if (note.inject !== undefined) notes.write(event.sessionKey, { ...note, pending: note.inject });
}
