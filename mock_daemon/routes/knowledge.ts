import { Hono } from "hono";
import { clamp, number, text } from "../json.ts";
import { type MockEnv, readerOf } from "../http/call.ts";
import type { State } from "../state.ts";

export function knowledge(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();

  app.post("/api/knowledge/expand", (c) => {
    const call = c.get("call");
    const entity = text(call.body?.entity);
    if (entity === undefined) return c.json({ error: "entity name is required" }, 400);
    const memories = state.memories.about(entity, readerOf(call), 50);
    if (memories.length === 0) {
      const empty = {
        entity: null,
        constraints: [],
        aspects: [],
        dependencies: [],
        memoryCount: 0,
        memories: [],
      };
      return c.json({ error: `Entity "${entity}" not found`, ...empty }, 404);
    }
    // Signet counts four characters per token.
    let left = clamp(number(call.body?.maxTokens) ?? 2000, 1, 100_000) * 4;
    const included = memories.filter(({ content }) => (left -= content.length) > 0);
    return c.json({
      entity: { name: entity, type: "unknown", description: null },
      aspects: [],
      constraints: [],
      dependencies: [],
      memories: included,
      memoryCount: included.length,
    });
  });

  app.post("/api/knowledge/expand/session", (c) => {
    const entityName = text(c.get("call").body?.entityName);
    if (entityName === undefined) return c.json({ error: "entityName is required" }, 400);
    return c.json({ entityName, summaries: [], total: 0 });
  });

  return app;
}
