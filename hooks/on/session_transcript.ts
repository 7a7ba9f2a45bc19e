import type { Run } from "../run.ts";
import { cleanTranscript, readTranscript } from "../transcript/transcript.ts";

/**
 * The session's conversation, in the form that daemons keep, without the text that Signet injected. It is read
 * here because the daemon may run on another machine. Undefined if there is none.
 */
export async function sessionTranscript(run: Run, inject: string | undefined): Promise<string | undefined> {
  const { event, profile, deadline } = run;
  const reserve = deadline.left() / 2;
  const rules = { transcript: profile.transcript, injectedTags: profile.injectedTags, injected: inject };
  if (event.transcript !== undefined) return cleanTranscript(event.transcript, rules);
  if (event.transcriptPath === undefined) return undefined;
  return await readTranscript(event.transcriptPath, rules, () => deadline.left() < reserve);
}
