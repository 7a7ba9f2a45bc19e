import { text } from "../json.ts";
import { isNoise } from "../session/is_noise.ts";
import type { Hook } from "../routes/hook.ts";
import { plainKey } from "../session/sessions.ts";
import type { State } from "../state.ts";
import { digest, normalizeTranscript, SUMMARY_MAX_CHARS, SUMMARY_MIN_CHARS } from "./normalize.ts";

const MAX_IN_MEMORY = 1000;

/** The real daemon reads `transcriptPath` first; a connector on another machine sends the text. */
function transcriptOf(hook: Hook): string {
  const path = text(hook.body.transcriptPath);
  if (path !== undefined) {
    try {
      return Deno.readTextFileSync(path);
    } catch {
      // The file is on another machine: use the inline transcript.
    }
  }
  return text(hook.body.transcript) ?? "";
}

/**
 * Stores a transcript and a memory of the session, where the real daemon queues a
 * summary. Returns the job id; undefined if there is nothing to store.
 */
export function storeTranscript(state: State, hook: Hook, project: string | undefined): string | undefined {
  const { key, agentId, harness } = hook;
  if (isNoise({ project, sessionKey: key, harness })) return undefined;
  const content = normalizeTranscript(transcriptOf(hook), harness);
  if (content.length < SUMMARY_MIN_CHARS) return undefined;
  const id = crypto.randomUUID();
  state.store.atomically(() => {
    state.store.sql(
      `INSERT INTO transcripts (job_id, agent_id, session_key, harness, project, content, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      id,
      agentId,
      key === undefined ? null : plainKey(key),
      harness,
      project ?? null,
      content.slice(-SUMMARY_MAX_CHARS),
      new Date(state.clock()).toISOString(),
    );
    // Without a database file, keep only the newest, so that memory use stays flat.
    if (state.options.db === undefined) {
      state.store.sql(
        "DELETE FROM transcripts WHERE rowid <= (SELECT max(rowid) FROM transcripts) - ?",
      )
        .run(MAX_IN_MEMORY);
    }
    state.memories.add({
      content: digest(content),
      type: "session_summary",
      agentId,
      importance: 0.6,
      who: "system",
      tags: `session,summary,${harness}`,
      project,
      sourceType: harness,
      sourceId: key,
    });
  });
  return id;
}
