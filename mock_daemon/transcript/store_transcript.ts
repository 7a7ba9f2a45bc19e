import { text } from "../json.ts";
import { isNoise } from "../session/is_noise.ts";
import type { Hook } from "../routes/hook.ts";
import { plainKey } from "../session/sessions.ts";
import type { State } from "../state.ts";
import { digest, SUMMARY_MAX_CHARS, SUMMARY_MIN_CHARS } from "./normalize.ts";

const MAX_IN_MEMORY = 1000;

interface Delivered {
  readonly raw: string;
  readonly from: "path" | "inline" | "nothing";
}

/** The real daemon reads `transcriptPath` first; a connector on another machine sends the text. */
function deliveredBy(state: State, hook: Hook): Delivered {
  const path = text(hook.body.transcriptPath);
  if (path !== undefined) {
    try {
      return { raw: Deno.readTextFileSync(path), from: "path" };
    } catch {
      // The file is on another machine: use the inline transcript.
    }
  }
  const inline = state.profile.transcripts.inline ? text(hook.body.transcript) : undefined;
  return inline === undefined ? { raw: "", from: "nothing" } : { raw: inline, from: "inline" };
}

/** Normalises the transcript of a request, and keeps what this daemon would keep of it. */
export function keepTranscript(state: State, hook: Hook, route: string, project: string | undefined): string {
  const { raw, from } = deliveredBy(state, hook);
  const content = state.profile.transcripts.normalize(raw, hook.harness);
  const kept = content.length < state.profile.transcripts.minChars ? "" : content;
  state.kept.add({
    agentId: hook.agentId,
    sessionKey: hook.key === undefined ? undefined : plainKey(hook.key),
    harness: hook.harness,
    project,
    route,
    from,
    sent: (text(hook.body.transcript) ?? raw).length,
    kept,
  });
  return content;
}

/** 0.145 also keeps the transcript that a prompt brings, or builds one from the prompts. */
export function keepPrompt(state: State, hook: Hook, prompt: string): void {
  if (text(hook.body.transcript) !== undefined || text(hook.body.transcriptPath) !== undefined) {
    keepTranscript(state, hook, "user-prompt-submit", hook.project);
    return;
  }
  if (hook.key === undefined) return;
  const sessionKey = plainKey(hook.key);
  const said = text(hook.body.lastAssistantMessage);
  const before = state.kept.content(hook.agentId, sessionKey);
  const added = said === undefined ? `User: ${prompt}` : `Assistant: ${said}\nUser: ${prompt}`;
  state.kept.add({
    agentId: hook.agentId,
    sessionKey,
    harness: hook.harness,
    project: hook.project,
    route: "user-prompt-submit",
    from: "prompt",
    sent: prompt.length,
    kept: added,
  }, before === undefined ? added : `${before}\n${added}`);
}

/**
 * Stores a transcript and a memory of the session, where the real daemon queues a
 * summary. Returns the job id; undefined if there is nothing to summarise.
 */
export function storeTranscript(
  state: State,
  hook: Hook,
  route: string,
  project: string | undefined,
): string | undefined {
  const { key, agentId, harness } = hook;
  const content = keepTranscript(state, hook, route, project);
  const noise = state.profile.sessions.dropsNoise && isNoise({ project, sessionKey: key, harness });
  if (noise || content.length < SUMMARY_MIN_CHARS) return undefined;
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
