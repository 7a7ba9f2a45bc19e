import { Hono } from "hono";
import { loadIdentity } from "../session/identity.ts";
import { stubInject } from "../session/inject.ts";
import { text } from "../json.ts";
import { isNoise } from "../session/is_noise.ts";
import { type MockEnv, readerOf } from "../http/call.ts";
import type { State } from "../state.ts";
import { plainKey } from "../session/sessions.ts";
import { keepPrompt, storeTranscript } from "../transcript/store_transcript.ts";
import {
  bypassed,
  claim,
  conflict,
  expiry,
  isInternal,
  malformed,
  readHook,
  recordSeen,
  skipForOwner,
} from "./hook.ts";

/** The hooks that every session runs: session-start, user-prompt-submit, session-end. */
export function sessionHooks(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  const { profile, sessions } = state;
  const rules = profile.sessions;

  app.post("/api/hooks/session-start", (c) => {
    if (isInternal(c)) return c.json({ inject: "", memories: [] });
    const hook = readHook(c);
    if (hook === undefined) return malformed(c) ?? c.json({ error: "harness is required" }, 400);
    const owner = claim(state, hook, true);
    if (owner !== undefined) return conflict(c, owner);
    const peers = state.presence.list().filter(({ sessionKey }) =>
      sessionKey === undefined || hook.key === undefined || sessionKey !== plainKey(hook.key)
    );
    recordSeen(state, hook);
    if (bypassed(state, hook)) return c.json({ inject: "", memories: [], bypassed: true });
    const { key, agentId, harness, project } = hook;
    // A start without a session key is always full.
    if (key !== undefined) {
      if (hook.body.source === "clear" && rules.fullAfterCompaction) {
        sessions.forgetInject({ agentId, harness, key });
      }
      if (!sessions.firstInject({ agentId, harness, key }, project)) {
        hook.call.outcome = "stub";
        return c.json({
          identity: { name: "Agent" },
          memories: [],
          inject: stubInject(state.clock()),
          ...expiry(state, hook),
        });
      }
    }
    const identity = loadIdentity(state.options, agentId);
    const memories = state.memories.list(readerOf(hook.call), { project, limit: 20 });
    const recovery = rules.recoversByProject ? state.recovery.forProject(project) : undefined;
    return c.json({
      identity: { name: identity.name, description: identity.description },
      memories: memories.map(({ id, content, type, importance, created_at }) => ({
        id,
        content,
        type,
        importance,
        created_at,
      })),
      recentContext: identity.texts["MEMORY.md"],
      inject: profile.startText({ identity, memories, now: state.clock(), peers, recovery }),
      ...expiry(state, hook),
    });
  });

  app.post("/api/hooks/user-prompt-submit", (c) => {
    if (isInternal(c)) return c.json({ inject: "", memoryCount: 0 });
    const hook = readHook(c);
    const prompt = text(hook?.body.userMessage) ?? text(hook?.body.userPrompt);
    if (hook === undefined || prompt === undefined) {
      return malformed(c) ?? c.json({ error: "harness and userMessage or userPrompt are required" }, 400);
    }
    const known = hook.key !== undefined && sessions.owner(hook.agentId, hook.key) !== undefined;
    const sessionKnown = rules.everyHookClaims ? { sessionKnown: known } : {};
    const owner = claim(state, hook);
    if (owner !== undefined) {
      return skipForOwner(c, state, owner, { inject: "", memoryCount: 0, ...sessionKnown });
    }
    recordSeen(state, hook);
    if (bypassed(state, hook)) return c.json({ inject: "", memoryCount: 0, bypassed: true });
    const answer = profile.answerPrompt(state, hook, prompt);
    if (hook.key !== undefined) {
      state.recovery.prompt(plainKey(hook.key), prompt, text(answer.queryTerms) ?? "");
    }
    if (profile.transcripts.fromPrompts) keepPrompt(state, hook, prompt);
    return c.json({ ...answer, ...sessionKnown, ...expiry(state, hook) });
  });

  app.post("/api/hooks/session-end", (c) => {
    if (isInternal(c)) return c.json({ memoriesSaved: 0 });
    const hook = readHook(c);
    if (hook === undefined) return malformed(c) ?? c.json({ error: "harness is required" }, 400);
    const { key, agentId, harness, path, body } = hook;
    if (rules.endsOnce && key !== undefined && path !== undefined) {
      const endedBy = state.tombstones.endedBy(agentId, plainKey(key));
      if (endedBy !== undefined) {
        return c.json({ memoriesSaved: 0, skipped: true, duplicateSessionEnd: true, endedBy });
      }
      const owner = sessions.owner(agentId, key);
      if (owner !== undefined && owner !== path) return skipForOwner(c, state, owner, { memoriesSaved: 0 });
    }
    claim(state, hook);
    recordSeen(state, hook);
    const cleared = body.reason === "clear";
    const skip = bypassed(state, hook);
    // Written together: after a crash, neither may exist without the other.
    const job = state.store.atomically(() => {
      if (key !== undefined) {
        sessions.end(agentId, key, path);
        state.presence.remove(plainKey(key));
      }
      return skip || cleared ? undefined : storeTranscript(state, hook, "session-end", text(body.cwd));
    });
    if (key !== undefined) {
      if (cleared || rules.fullAfterEnd) sessions.forgetInject({ agentId, harness, key });
      if (!cleared && !skip) state.recovery.end(plainKey(key), text(body.cwd));
    }
    if (skip) return c.json({ memoriesSaved: 0, bypassed: true });
    if (isNoise({ project: text(body.cwd), sessionKey: key, harness })) hook.call.outcome = "noise";
    if (job !== undefined) return c.json({ memoriesSaved: 0, queued: true, jobId: job });
    // 0.58 says nothing of a queue unless it queued something, and no version does of a cleared session.
    return c.json(rules.endsOnce && !cleared ? { memoriesSaved: 0, queued: false } : { memoriesSaved: 0 });
  });

  return app;
}
