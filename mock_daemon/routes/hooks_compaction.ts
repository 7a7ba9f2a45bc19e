import { Hono } from "hono";
import { SUMMARY_GUIDELINES, summaryPrompt } from "../session/inject.ts";
import { text } from "../json.ts";
import { isNoise } from "../session/is_noise.ts";
import { plainKey } from "../session/sessions.ts";
import { storeTranscript } from "../transcript/store_transcript.ts";
import { type MockEnv, readerOf } from "../http/call.ts";
import type { State } from "../state.ts";
import { bypassed, claim, isInternal, malformed, readHook, recordSeen, skipForOwner } from "./hook.ts";

/** The hooks of a long session: compaction and checkpoints. */
export function compactionHooks(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();

  // The real daemon ignores x-signet-no-hooks on the next two routes.
  app.post("/api/hooks/pre-compaction", (c) => {
    const hook = readHook(c);
    if (hook === undefined) return malformed(c) ?? c.json({ error: "harness is required" }, 400);
    const owner = claim(state, hook);
    if (owner !== undefined) {
      return skipForOwner(c, state, owner, { guidelines: "", instructions: "", summaryPrompt: "" });
    }
    recordSeen(state, hook);
    if (bypassed(state, hook)) return c.json({ instructions: "", bypassed: true });
    const memories = state.memories.list(readerOf(hook.call), { limit: 10 });
    return c.json({
      summaryPrompt: summaryPrompt(memories, text(hook.body.sessionContext)),
      guidelines: SUMMARY_GUIDELINES,
    });
  });

  app.post("/api/hooks/compaction-complete", (c) => {
    const hook = readHook(c);
    const summary = text(hook?.body.summary);
    if (hook === undefined || summary === undefined) {
      return malformed(c, "Failed to save summary") ??
        c.json({ error: "harness and summary are required" }, 400);
    }
    const owner = claim(state, hook);
    if (owner !== undefined) return skipForOwner(c, state, owner, { success: true });
    recordSeen(state, hook);
    if (bypassed(state, hook)) return c.json({ success: true, bypassed: true });
    const { key, agentId, harness } = hook;
    const project = text(hook.body.project);
    const noise = state.profile.sessions.dropsNoise && isNoise({ project, sessionKey: key, harness });
    if (noise) hook.call.outcome = "noise";
    const stored = noise ? undefined : state.memories.add({
      content: summary.trim(),
      type: "session_summary",
      agentId,
      importance: 0.8,
      who: "system",
      tags: `session,summary,${harness}`,
      project,
      sourceType: harness,
      sourceId: key,
    });
    // The context was discarded, so the next session-start returns the full inject again.
    const memoryId = stored?.memory.id ?? null;
    if (!state.profile.sessions.fullAfterCompaction) return c.json({ success: true, memoryId });
    if (key !== undefined) {
      state.sessions.forgetInject({ agentId, harness, key });
      state.kept.drop(agentId, plainKey(key));
    }
    return c.json({ success: true, memoryId, contextEpoch: state.sessions.nextEpoch(agentId, key) });
  });

  app.post("/api/hooks/session-checkpoint-extract", (c) => {
    if (isInternal(c)) return c.json({ skipped: true });
    const hook = readHook(c);
    if (hook === undefined || text(hook.body.sessionKey) === undefined) {
      return malformed(c) ?? c.json({ error: "harness and sessionKey are required" }, 400);
    }
    const owner = claim(state, hook);
    if (owner !== undefined) return skipForOwner(c, state, owner, { skipped: true });
    recordSeen(state, hook);
    if (bypassed(state, hook) || hook.key === undefined) return c.json({ skipped: true });
    state.sessions.renew(hook.agentId, hook.key);
    const job = storeTranscript(state, hook, "session-checkpoint-extract", text(hook.body.project));
    return c.json(job === undefined ? { skipped: true } : { queued: true, jobId: job });
  });

  return app;
}
