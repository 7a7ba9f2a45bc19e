import { startDrain } from "../spool/detach.ts";
import { failed, type Outcome, type Run } from "../run.ts";
import { Spool, type SpoolKind } from "../spool/spool.ts";
import { readTranscript, tidyTranscript } from "../transcript/transcript.ts";
import { HOOK_PATHS } from "../daemon/wire.ts";

/** Ends, and is told about, even if the daemon is away, slow or dead. */
export async function onSessionEnd(run: Run): Promise<Outcome> {
  const { event, notes } = run;
  const note = notes.read(event.sessionKey);
  // Gemini fires SessionEnd twice on /quit.
  if (note.ended) return { outcome: "ended before" };
  const transcript = await transcriptOf(run, note.inject);
  if (event.sessionKey === undefined && transcript === undefined) return { outcome: "no input" };
  const outcome = await deliver(run, "session-end", {
    sessionKey: event.sessionKey,
    // This route reads the project here.
    cwd: event.cwd || undefined,
    reason: event.reason,
    transcript,
    capturedAt: new Date().toISOString(),
    requestContext: run.context(),
  });
  if (outcome.outcome === "spooled" || outcome.outcome === "sent") {
    notes.write(event.sessionKey, { ...note, ended: true, pending: undefined });
  }
  return outcome;
}

export async function onCompactionComplete(run: Run): Promise<Outcome> {
  const { event } = run;
  // Codex has none to give, and the daemon refuses the event without.
  if (!event.summary?.trim()) return { outcome: "no summary" };
  return await deliver(run, "compaction-complete", {
    sessionKey: event.sessionKey,
    project: event.cwd || undefined,
    summary: event.summary,
    requestContext: run.context(),
  });
}

/** The conversation, read here because the daemon may be on another machine; without what we said ourselves. */
export async function transcriptOf(run: Run, inject: string | undefined): Promise<string | undefined> {
  const { event, profile, deadline } = run;
  const reserve = deadline.left() / 2;
  const text = event.transcript !== undefined
    ? tidyTranscript(event.transcript, profile)
    : event.transcriptPath !== undefined
    ? await readTranscript(event.transcriptPath, profile, () => deadline.left() < reserve)
    : undefined;
  return inject === undefined ? text : text?.replaceAll(inject, "").trim() || undefined;
}

/** To disk first; the sending is a detached drain's work. Claude Code gives SessionEnd 1.5 s, Codex 3 s. */
async function deliver(run: Run, kind: SpoolKind & keyof typeof HOOK_PATHS, body: object): Promise<Outcome> {
  const { settings, profile, client, dir, event } = run;
  const known = settings.problem === undefined;
  const entry = {
    id: crypto.randomUUID(),
    kind,
    path: HOOK_PATHS[kind],
    url: known ? settings.url : "",
    harness: profile.id,
    agentId: known || settings.sources.agentId !== "default" ? settings.agentId : "",
    runtimePath: profile.runtimePath,
    sessionKey: event.sessionKey,
    body: client.envelope(body),
  };
  let problem = "there is no home directory";
  if (dir !== undefined) {
    try {
      const dropped = new Spool(dir).add(entry);
      startDrain(profile.id, dir);
      return {
        outcome: "spooled",
        detail: dropped > 0 ? `the spool was full: ${dropped} dropped` : undefined,
      };
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  // No disk to keep it on: the daemon may still take it, now or never.
  const reply = await run.ask((client, options) =>
    client.request("POST", entry.path, entry.body, { ...options, idempotencyKey: entry.id })
  );
  const detail = `not spooled: ${problem}`;
  if (reply.kind !== "ok") return { ...failed(reply), detail };
  return { outcome: "sent", status: reply.status, daemonMs: reply.ms, detail };
}
