import { Hono } from "hono";
import { type Claim, plainKey } from "../session/sessions.ts";
import type { MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";

export function sessions(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  const rules = state.profile.sessions;
  const show = (claim: Claim) => {
    const bypassed = state.sessions.isBypassed(claim.agentId, claim.key);
    const { key, agentId, runtimePath } = claim;
    const claimedAt = new Date(claim.claimedAt).toISOString();
    // 0.58 says neither whose session it is nor when it expires.
    if (rules.listsEveryAgent) return { key, runtimePath, claimedAt, bypassed };
    return {
      key,
      agentId,
      runtimePath,
      claimedAt,
      expiresAt: new Date(claim.expiresAt).toISOString(),
      bypassed,
    };
  };
  const find = (agentId: string, key: string) =>
    state.sessions.list(rules.listsEveryAgent ? undefined : agentId).find((claim) =>
      claim.key === plainKey(key)
    );
  /** Sessions that sent hooks without a runtime path, as 0.145 lists them. */
  const unclaimed = (agentId: string) =>
    !rules.listsUnclaimed
      ? []
      : state.presence.list().flatMap(({ sessionKey, startedAt, ...session }) =>
        sessionKey === undefined || session.runtimePath !== undefined || session.agentId !== agentId ? [] : [{
          key: sessionKey,
          runtimePath: "unknown",
          claimedAt: startedAt,
          expiresAt: null,
          bypassed: state.sessions.isBypassed(agentId, sessionKey),
        }]
      );

  // Filters by agent, like the real daemon; `default` if none is named.
  app.get("/api/sessions", (c) => {
    const { agentId } = c.get("call");
    const claimed = state.sessions.list(rules.listsEveryAgent ? undefined : agentId).map(show);
    const list = [...claimed, ...unclaimed(agentId)];
    return c.json({ sessions: list, count: list.length });
  });

  app.get("/api/sessions/summaries", async (c, next) => {
    if (rules.listsEveryAgent) return await next();
    return c.json({ summaries: [], total: 0 });
  });

  app.get("/api/sessions/:key/transcript", (c) => {
    const content = state.kept.content(c.get("call").agentId, plainKey(c.req.param("key")));
    if (content === undefined) return c.json({ error: "Transcript not found" }, 404);
    return c.json({ sessionKey: plainKey(c.req.param("key")), agentId: c.get("call").agentId, content });
  });

  app.get("/api/sessions/:key", (c) => {
    const { agentId } = c.get("call");
    const claim = find(agentId, c.req.param("key"));
    const free = unclaimed(agentId).find(({ key }) => key === plainKey(c.req.param("key")));
    if (free !== undefined && claim === undefined) return c.json(free);
    return claim === undefined ? c.json({ error: "Session not found" }, 404) : c.json(show(claim));
  });

  app.post("/api/sessions/:key/bypass", (c) => {
    const { agentId, body } = c.get("call");
    const key = plainKey(c.req.param("key"));
    const known = [
      ...state.sessions.list(rules.listsEveryAgent ? undefined : agentId),
      ...unclaimed(agentId),
    ];
    if (!known.some((session) => session.key === key)) return c.json({ error: "Session not found" }, 404);
    if (typeof body?.enabled !== "boolean") return c.json({ error: "enabled (boolean) is required" }, 400);
    state.sessions.bypass(agentId, key, body.enabled);
    return c.json({ key, bypassed: body.enabled });
  });

  app.post("/api/sessions/:key/renew", (c) => {
    const claim = state.sessions.renew(c.get("call").agentId, c.req.param("key"));
    if (claim === undefined) return c.json({ error: "Session not found" }, 404);
    return c.json({ key: claim.key, renewed: true, expiresAt: new Date(claim.expiresAt).toISOString() });
  });

  return app;
}
