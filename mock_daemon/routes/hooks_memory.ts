import { Hono } from "hono";
import { text } from "../json.ts";
import { recall } from "../memory/recall.ts";
import { remember } from "../memory/remember.ts";
import type { MockContext, MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";
import { bypassed, type Hook, isInternal, malformed, readHook, recordSeen } from "./hook.ts";

/** The real daemon answers 409 here, where its other hooks answer 200 with `skipped`. */
function conflict(c: MockContext, state: State, hook: Hook): Response | undefined {
  if (hook.key === undefined || hook.path === undefined) return undefined;
  const owner = state.sessions.owner(hook.agentId, hook.key);
  if (owner === undefined || owner === hook.path) return undefined;
  return c.json({ error: `session claimed by ${owner} path` }, 409);
}

function emptyRecall(query: string, extra: Record<string, unknown>) {
  return {
    results: [],
    query,
    method: "keyword",
    meta: { totalReturned: 0, noHits: true },
    memories: [],
    count: 0,
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
    const refused = conflict(c, state, hook);
    if (refused !== undefined) return refused;
    recordSeen(state, hook);
    if (bypassed(state, hook)) return c.json({ success: true, memories: [], bypassed: true });
    return c.json(remember(state, hook.call, hook.body, content));
  });

  app.post("/api/hooks/recall", (c) => {
    if (isInternal(c)) return c.json(emptyRecall("", { internal: true }));
    const hook = readHook(c);
    const query = text(hook?.body.query);
    if (hook === undefined || query === undefined) {
      return malformed(c) ?? c.json({ error: "harness and query are required" }, 400);
    }
    const refused = conflict(c, state, hook);
    if (refused !== undefined) return refused;
    recordSeen(state, hook);
    if (bypassed(state, hook)) return c.json(emptyRecall(query, { bypassed: true }));
    const answer = recall(state, hook.call, hook.body, query);
    const count = Array.isArray(answer.results) ? answer.results.length : 0;
    const message = count === 0 ? "No matching memories found." : `Found ${count} memories.`;
    return c.json({ ...answer, memories: answer.results, count, message });
  });

  return app;
}
