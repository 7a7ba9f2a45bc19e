import type { Run } from "../run.ts";
import { cleanTranscript, readTranscript } from "../transcript/transcript.ts";

/**
 * The session's conversation without the text that Signet injected. It is read
 * here because the daemon may run on another machine. Undefined if there is none.
 */
export async function sessionTranscript(run: Run, inject: string | undefined): Promise<string | undefined> {
  const { event, profile, deadline } = run;
  const reserve = deadline.left() / 2;
  const text = event.transcript !== undefined
    ? cleanTranscript(event.transcript, profile)
    : event.transcriptPath !== undefined
    ? await readTranscript(event.transcriptPath, profile, () => deadline.left() < reserve)
    : undefined;
  return inject === undefined ? text : text?.replaceAll(inject, "").trim() || undefined;
}
