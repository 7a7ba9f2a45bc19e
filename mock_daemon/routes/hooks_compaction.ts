import { Hono } from "hono";
import { SUMMARY_GUIDELINES, summaryPrompt } from "../session/inject.ts";
import { text } from "../json.ts";
import { isNoise } from "../session/is_noise.ts";
import { keepTranscript } from "../transcript/store_transcript.ts";
import { type MockEnv, readerOf } from "../http/call.ts";
import type { State } from "../state.ts";
import { bypassed, claim, hear, isInternal, malformed, readHook, stepAside } from "./hook.ts";

/** What happens inside a long session. */
export function compactionHooks(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();

  // The recursion guard is not honoured by these two (1.2).
  app.post("/api/hooks/pre-compaction", (c) => {
    const hook = readHook(c);
    if (hook === undefined) return malformed(c) ?? c.json({ error: "harness is required" }, 400);
    const owner = claim(state, hook);
    if (owner !== undefined) {
      return stepAside(c, owner, { guidelines: "", instructions: "", summaryPrompt: "" });
    }
    hear(state, hook);
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
      return malformed(c) ?? c.json({ error: "harness and summary are required" }, 400);
    }
    const owner = claim(state, hook);
    if (owner !== undefined) return stepAside(c, owner, { success: true });
    hear(state, hook);
    if (bypassed(state, hook)) return c.json({ success: true, bypassed: true });
    const { key, agentId, harness } = hook;
    const project = text(hook.body.project);
    const noise = isNoise({ project, sessionKey: key, harness });
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
    // From here on the session may be told everything again: its context was thrown away.
    if (key !== undefined) state.sessions.untell(agentId, harness, key);
    return c.json({
      success: true,
      memoryId: stored?.memory.id ?? null,
      contextEpoch: state.sessions.nextEpoch(agentId, key),
    });
  });

  app.post("/api/hooks/session-checkpoint-extract", (c) => {
    if (isInternal(c)) return c.json({ skipped: true });
    const hook = readHook(c);
    if (hook === undefined || text(hook.body.sessionKey) === undefined) {
      return malformed(c) ?? c.json({ error: "harness and sessionKey are required" }, 400);
    }
    const owner = claim(state, hook);
    if (owner !== undefined) return stepAside(c, owner, { skipped: true });
    hear(state, hook);
    if (bypassed(state, hook) || hook.key === undefined) return c.json({ skipped: true });
    state.sessions.renew(hook.agentId, hook.key);
    const job = keepTranscript(state, hook, text(hook.body.project));
    return c.json(job === undefined ? { skipped: true } : { queued: true, jobId: job });
  });

  return app;
}
