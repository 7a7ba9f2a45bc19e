import { createMiddleware } from "hono/factory";
import type { MockEnv } from "./call.ts";
import type { State } from "../state.ts";

/** Longer than any connector keeps retrying. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Replays the first response for an `Idempotency-Key`. The real daemon does not
 * read that header, so this is opt-in.
 */
export function dedupe(state: State) {
  return createMiddleware<MockEnv>(async (c, next) => {
    const header = c.req.header("idempotency-key");
    if (header === undefined || c.req.method !== "POST") return await next();
    const call = c.get("call");
    const key = JSON.stringify([call.agentId, c.req.path, header]);
    const now = state.clock();
    const row = state.store.sql(
      "SELECT status, body FROM answers WHERE idempotency_key = ? AND created_at > ?",
    )
      .get(key, now - KEPT_MS);
    if (row !== undefined) {
      call.outcome = "deduped";
      return new Response(String(row.body), {
        status: Number(row.status),
        headers: { "content-type": "application/json", "idempotency-replayed": "true" },
      });
    }
    await next();
    if (!c.res.ok || call.streamed) return;
    state.store.sql("DELETE FROM answers WHERE created_at <= ?").run(now - KEPT_MS);
    state.store.sql(
      "INSERT OR REPLACE INTO answers (idempotency_key, status, body, created_at) VALUES (?, ?, ?, ?)",
    )
      .run(key, c.res.status, await c.res.clone().text(), now);
  });
}
