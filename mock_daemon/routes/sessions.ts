import { Hono } from "hono";
import { type Claim, plainKey } from "../session/sessions.ts";
import type { MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";

export function sessions(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  const show = (claim: Claim) => ({
    key: claim.key,
    agentId: claim.agentId,
    runtimePath: claim.runtimePath,
    claimedAt: new Date(claim.claimedAt).toISOString(),
    expiresAt: new Date(claim.expiresAt).toISOString(),
    bypassed: state.sessions.isBypassed(claim.agentId, claim.key),
  });
  const find = (agentId: string, key: string) =>
    state.sessions.list(agentId).find((claim) => claim.key === plainKey(key));

  // Filters by agent, like the real daemon; `default` if none is named.
  app.get("/api/sessions", (c) => {
    const list = state.sessions.list(c.get("call").agentId).map(show);
    return c.json({ sessions: list, count: list.length });
  });

  app.get("/api/sessions/:key", (c) => {
    const claim = find(c.get("call").agentId, c.req.param("key"));
    return claim === undefined ? c.json({ error: "Session not found" }, 404) : c.json(show(claim));
  });

  app.post("/api/sessions/:key/bypass", (c) => {
    const { agentId, body } = c.get("call");
    const claim = find(agentId, c.req.param("key"));
    if (claim === undefined) return c.json({ error: "Session not found" }, 404);
    if (typeof body?.enabled !== "boolean") return c.json({ error: "enabled (boolean) is required" }, 400);
    state.sessions.bypass(agentId, claim.key, body.enabled);
    return c.json({ key: claim.key, bypassed: body.enabled });
  });

  app.post("/api/sessions/:key/renew", (c) => {
    const claim = state.sessions.renew(c.get("call").agentId, c.req.param("key"));
    if (claim === undefined) return c.json({ error: "Session not found" }, 404);
    return c.json({ key: claim.key, renewed: true, expiresAt: new Date(claim.expiresAt).toISOString() });
  });

  return app;
}
