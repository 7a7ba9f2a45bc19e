import { Hono } from "hono";
import { boolean, clamp, isObject, number, text } from "../json.ts";
import { unnamedRow } from "../memory/memory_rules.ts";
import { readFilter, recall } from "../memory/recall.ts";
import { remember } from "../memory/remember.ts";
import { type MockContext, type MockEnv, readerOf } from "../http/call.ts";
import type { State } from "../state.ts";
import { change, drop } from "./memory_change.ts";

function badJson(c: MockContext): Response | undefined {
  const call = c.get("call");
  return call.body === undefined && (call.malformed || call.text === "")
    ? c.json({ error: "Invalid JSON body" }, 400)
    : undefined;
}

export function memory(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  const rules = state.profile.memory;

  app.post("/api/memory/remember", (c) => {
    const call = c.get("call");
    const content = text(call.body?.content);
    if (call.body === undefined || content === undefined) {
      return badJson(c) ?? c.json({ error: "content is required" }, 400);
    }
    if (Array.isArray(call.body.tags) && !rules.tagLists) {
      return c.json({ error: "Failed to save memory" }, 500);
    }
    return c.json(remember(state, call, call.body, content));
  });

  app.post("/api/memory/recall", (c) => {
    const call = c.get("call");
    const query = text(call.body?.query);
    if (call.body === undefined || query === undefined) {
      return badJson(c) ?? c.json({ error: "query is required" }, 400);
    }
    return c.json(recall(state, call, call.body, query));
  });

  app.get("/api/memory/search", (c) => {
    const call = c.get("call");
    // In the real daemons `/api/memory/:id` comes first, and `search` is no id.
    if (!rules.search) return c.json({ error: "not found" }, 404);
    const query = text(c.req.query("q"));
    if (query === undefined) return c.json({ results: [] });
    const { results } = recall(state, call, readQuery(c), query);
    return c.json({ results });
  });

  app.get("/api/memories", (c) => {
    const reader = readerOf(c.get("call"));
    const filter = readFilter(readQuery(c));
    if (rules.lists !== "what the caller may read") {
      const { memories, total, critical } = state.memories.listAll({
        limit: clamp(filter.limit ?? 100, 0, 1000),
        offset: clamp(filter.offset ?? 0, 0, 1e9),
        forgotten: rules.lists === "every agent's, forgotten ones too",
      });
      return c.json({ memories: memories.map(unnamedRow), stats: { total, withEmbeddings: 0, critical } });
    }
    const total = state.memories.count(reader, filter);
    return c.json({
      memories: state.memories.list(reader, filter),
      stats: {
        total,
        withEmbeddings: 0,
        critical: state.memories.count(reader, { ...filter, importanceMin: 0.9 }),
      },
    });
  });

  app.post("/api/memory/modify", (c) => {
    const { body } = c.get("call");
    const patches = Array.isArray(body?.patches) ? body.patches : undefined;
    if (patches === undefined) return badJson(c) ?? c.json({ error: "patches[] is required" }, 400);
    if (patches.length === 0 || patches.length > 200) {
      return c.json({ error: "patches must contain 1 to 200 entries" }, 400);
    }
    const results = patches.map((patch) => change(state, c.get("call"), patch, text(body?.reason)));
    return c.json({
      total: results.length,
      updated: results.filter(({ status }) => status === "updated").length,
      results,
    });
  });

  app.post("/api/memory/forget", (c) => {
    const call = c.get("call");
    const body = call.body;
    if (body === undefined) return badJson(c) ?? c.json({ error: "Invalid JSON body" }, 400);
    const listed = Array.isArray(body.ids) ? body.ids.filter((id) => typeof id === "string") : undefined;
    const query = text(body.query);
    if (listed === undefined && query === undefined) {
      const filters = "type/tags/who/source_type/since/until";
      return c.json({ error: `query, ids, or at least one filter (${filters}) is required` }, 400);
    }
    const matches = listed !== undefined
      ? listed.map((id) => state.memories.get(id, readerOf(call))).filter((memory) => memory !== undefined)
      : state.memories.search(query ?? "", readerOf(call), readFilter(body));
    if (body.mode !== "execute") {
      const candidates = matches.map(({ id, pinned, version }) => ({ id, score: 1, pinned, version }));
      return c.json({
        mode: "preview",
        count: matches.length,
        requiresConfirm: false,
        confirmToken: crypto.randomUUID().replaceAll("-", ""),
        candidates,
      });
    }
    if (text(body.reason) === undefined) return c.json({ error: "reason is required for execute mode" }, 400);
    const results = matches.map(({ id }) => drop(state, call, id, body.force === true, undefined));
    const deleted = results.filter(({ status }) => status === "deleted").length;
    return c.json({ mode: "execute", requested: matches.length, deleted, results });
  });

  app.post("/api/memory/feedback", (c) => {
    const { body } = c.get("call");
    if (body === undefined) return badJson(c) ?? c.json({ error: "Invalid JSON body" }, 400);
    const given = body.feedback ?? body.ratings;
    if (text(body.sessionKey) === undefined || given === undefined || given === null) {
      return c.json({ error: "sessionKey and feedback required" }, 400);
    }
    const scores = isObject(given) ? Object.values(given) : [undefined];
    if (!scores.every((score) => typeof score === "number" && score >= -1 && score <= 1)) {
      const error = "Invalid feedback format — expected map of ID to number (-1 to 1)";
      return c.json({ error }, 400);
    }
    const recorded = { ok: true, recorded: scores.length };
    if (rules.shortHooks) return c.json(recorded);
    // "Accepted" means that the session was given that memory.
    const seen = state.sessions.recalled(c.get("call").agentId, text(body.sessionKey) ?? "");
    const accepted = Object.keys(given).filter((id) => seen.has(id)).length;
    return c.json({ ...recorded, accepted, rejected: scores.length - accepted, propagated: 0 });
  });

  app.get("/api/memory/:id", (c) => {
    const memory = state.memories.get(c.req.param("id"), readerOf(c.get("call")));
    return memory === undefined ? c.json({ error: "not found" }, 404) : c.json(rules.showMemory(memory));
  });

  app.patch("/api/memory/:id", (c) => {
    const call = c.get("call");
    if (call.body === undefined) return badJson(c) ?? c.json({ error: "Invalid JSON body" }, 400);
    if (text(call.body.reason) === undefined) return c.json({ error: "reason is required" }, 400);
    const result = change(state, call, { ...call.body, id: c.req.param("id") }, undefined);
    return c.json(result, STATUS[result.status] ?? 200);
  });

  app.delete("/api/memory/:id", (c) => {
    const call = c.get("call");
    const reason = text(call.body?.reason) ?? text(c.req.query("reason"));
    if (reason === undefined) return c.json({ error: "reason is required" }, 400);
    const force = boolean(call.body?.force ?? c.req.query("force")) ?? false;
    const version = number(call.body?.if_version ?? c.req.query("if_version"));
    const result = drop(state, call, c.req.param("id"), force, version);
    return c.json(result, STATUS[result.status] ?? 200);
  });

  return app;
}

const STATUS: Readonly<Record<string, 400 | 403 | 404 | 409>> = {
  not_found: 404,
  forbidden: 403,
  version_conflict: 409,
  already_deleted: 409,
  pinned_requires_force: 409,
  invalid_request: 400,
};

/** Query parameters, under the names of the body fields. */
function readQuery(c: MockContext): Record<string, unknown> {
  const query = c.req.query();
  return { ...query, pinned: boolean(query.pinned) };
}
