import { Hono } from "hono";
import { loadIdentity } from "../session/identity.ts";
import { entityInject, fullInject, stubInject } from "../session/inject.ts";
import { text } from "../json.ts";
import { isNoise } from "../session/is_noise.ts";
import { type MockEnv, readerOf } from "../http/call.ts";
import type { State } from "../state.ts";
import { plainKey } from "../session/sessions.ts";
import { storeTranscript } from "../transcript/store_transcript.ts";
import {
  bypassed,
  claim,
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

  app.post("/api/hooks/session-start", (c) => {
    if (isInternal(c)) return c.json({ inject: "", memories: [] });
    const hook = readHook(c);
    if (hook === undefined) return malformed(c) ?? c.json({ error: "harness is required" }, 400);
    const owner = claim(state, hook);
    if (owner !== undefined) return c.json({ error: `session claimed by ${owner} path` }, 409);
    recordSeen(state, hook);
    if (bypassed(state, hook)) return c.json({ inject: "", memories: [], bypassed: true });
    const { key, agentId, harness, project } = hook;
    if (key !== undefined) {
      if (hook.body.source === "clear") state.sessions.forgetInject(agentId, harness, key);
      if (!state.sessions.firstInject({ agentId, harness, key, project })) {
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
      inject: fullInject(identity, memories, state.clock()),
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
    const sessionKnown = hook.key !== undefined && state.sessions.owner(hook.agentId, hook.key) !== undefined;
    const owner = claim(state, hook);
    if (owner !== undefined) return skipForOwner(c, owner, { inject: "", memoryCount: 0, sessionKnown });
    recordSeen(state, hook);
    if (bypassed(state, hook)) return c.json({ inject: "", memoryCount: 0, bypassed: true });
    const named = state.memories.mentionedIn(prompt, readerOf(hook.call));
    const ids = new Set(named.flatMap(({ memories }) => memories.map(({ id }) => id)));
    return c.json({
      inject: entityInject(named),
      memoryCount: ids.size,
      queryTerms: named.map(({ name }) => name).join(" "),
      engine: named.length === 0 ? "no-entity" : "entity-context",
      sessionKnown,
      ...expiry(state, hook),
    });
  });

  app.post("/api/hooks/session-end", (c) => {
    if (isInternal(c)) return c.json({ memoriesSaved: 0 });
    const hook = readHook(c);
    if (hook === undefined) return malformed(c) ?? c.json({ error: "harness is required" }, 400);
    const { key, agentId, harness, path, body } = hook;
    if (key !== undefined && path !== undefined) {
      const endedBy = state.tombstones.endedBy(agentId, plainKey(key));
      if (endedBy !== undefined) {
        return c.json({ memoriesSaved: 0, skipped: true, duplicateSessionEnd: true, endedBy });
      }
      const owner = state.sessions.owner(agentId, key);
      if (owner !== undefined && owner !== path) return skipForOwner(c, owner, { memoriesSaved: 0 });
    }
    claim(state, hook);
    recordSeen(state, hook);
    const cleared = body.reason === "clear";
    const skip = bypassed(state, hook);
    // Written together: after a crash, neither may exist without the other.
    const job = state.store.atomically(() => {
      if (key !== undefined) {
        state.sessions.end(agentId, key, path);
        state.presence.remove(plainKey(key));
      }
      return skip || cleared ? undefined : storeTranscript(state, hook, "session-end", text(body.cwd));
    });
    if (key !== undefined && cleared) state.sessions.forgetInject(agentId, harness, key);
    if (skip) return c.json({ memoriesSaved: 0, bypassed: true });
    if (isNoise({ project: text(body.cwd), sessionKey: key, harness })) hook.call.outcome = "noise";
    return c.json(
      job === undefined
        ? { memoriesSaved: 0, queued: false }
        : { memoriesSaved: 0, queued: true, jobId: job },
    );
  });

  return app;
}
