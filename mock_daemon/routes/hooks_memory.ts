import { Hono } from "hono";
import { text } from "../json.ts";
import { recall } from "../memory/recall.ts";
import { remember } from "../memory/remember.ts";
import type { MockContext, MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";
import { bypassed, conflict, type Hook, isInternal, malformed, readHook, recordSeen } from "./hook.ts";

/** The real daemon answers 409 here, where its other hooks answer 200 with `skipped`. */
function refuseOther(c: MockContext, state: State, hook: Hook): Response | undefined {
  if (hook.key === undefined || hook.path === undefined) return undefined;
  const owner = state.sessions.owner(hook.agentId, hook.key);
  if (owner === undefined || owner === hook.path) return undefined;
  return conflict(c, owner);
}

function emptyRecall(state: State, query: string, extra: Record<string, unknown>) {
  if (state.profile.memory.shortHooks) return { memories: [], count: 0, ...extra };
  return {
    results: [],
    memories: [],
    count: 0,
    query,
    method: "hybrid",
    meta: { totalReturned: 0, hasSupplementary: false, noHits: true },
    message: "No matching memories found.",
    ...extra,
  };
}

/** The remember and recall hooks. */
export function memoryHooks(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();

  app.post("/api/hooks/remember", (c) => {
    if (isInternal(c)) return c.json({ success: true, memories: [] });
    const hook = readHook(c);
    const content = text(hook?.body.content);
    if (hook === undefined || content === undefined) {
      return malformed(c) ?? c.json({ error: "harness and content are required" }, 400);
    }
    const refused = refuseOther(c, state, hook);
    if (refused !== undefined) return refused;
    recordSeen(state, hook);
    if (bypassed(state, hook)) return c.json({ success: true, memories: [], bypassed: true });
    const stored = remember(state, hook.call, hook.body, content);
    return c.json(state.profile.memory.shortHooks ? { saved: true, id: stored.id } : stored);
  });

  app.post("/api/hooks/recall", (c) => {
    if (isInternal(c)) {
      return c.json(emptyRecall(state, "", state.profile.memory.shortHooks ? {} : { internal: true }));
    }
    const hook = readHook(c);
    const query = text(hook?.body.query);
    if (hook === undefined || query === undefined) {
      return malformed(c) ?? c.json({ error: "harness and query are required" }, 400);
    }
    const refused = refuseOther(c, state, hook);
    if (refused !== undefined) return refused;
    recordSeen(state, hook);
    if (bypassed(state, hook)) return c.json(emptyRecall(state, query, { bypassed: true }));
    const answer = recall(state, hook.call, hook.body, query, !state.profile.memory.recallHookFindsAny);
    const count = Array.isArray(answer.results) ? answer.results.length : 0;
    if (state.profile.memory.shortHooks) return c.json({ results: answer.results, count });
    const message = count === 0 ? "No matching memories found." : `Found ${count} memories.`;
    return c.json({ ...answer, memories: answer.results, count, message });
  });

  return app;
}
