import { Hono } from "hono";
import { isObject, text } from "../json.ts";
import { boundAgent } from "../access/principal.ts";
import type { MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";
import { PERMISSIONS, ROLE_PERMISSIONS, ROLES } from "../store/keys.ts";

const PROVIDERS = [{ id: "password", type: "password", enabled: false }];

export function auth(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  const mode = state.options.auth ?? "local";

  // The real daemon answers `authenticated: false` to a valid key; the mock does not copy that bug.
  app.get("/api/auth/whoami", (c) => {
    const { principal } = c.get("call");
    const { key, trusted } = principal;
    return c.json({
      authenticated: key !== undefined,
      trustedLocal: trusted,
      effectiveAccess: trusted || key !== undefined,
      claims: key === undefined ? null : {
        sub: `api-key:${key.prefix}`,
        name: key.name,
        role: key.role,
        scope: { ...key.scope, agent: boundAgent(principal) },
        permissions: key.permissions ?? ROLE_PERMISSIONS[key.role],
        connector: key.connector,
        harness: key.harness,
        agentId: key.agentId,
        allowedProjects: key.allowedProjects,
      },
      error: principal.error ?? null,
      mode,
      providers: PROVIDERS,
    });
  });

  app.get("/api/auth/methods", (c) => c.json({ mode, providers: PROVIDERS }));
  app.post("/api/auth/login", (c) => c.json({ error: "password login is not configured" }, 503));
  app.post("/api/auth/token", (c) =>
    c.json({
      error: mode === "local"
        ? "auth secret not available (local mode?)"
        : "the mock daemon has no tokens; create an API key",
    }, 400));

  app.get("/api/auth/api-keys", (c) => c.json({ apiKeys: state.keys.list() }));

  app.post("/api/auth/api-keys", (c) => {
    const { body } = c.get("call");
    if (body === undefined) return c.json({ error: "invalid request body" }, 400);
    const name = text(body.name)?.trim();
    if (name === undefined) return c.json({ error: "name is required" }, 400);
    const role = ROLES.find((known) => known === body.role);
    if (body.role !== undefined && body.role !== null && role === undefined) {
      return c.json({ error: `role must be one of: ${ROLES.join(", ")}` }, 400);
    }
    const expiresAt = text(body.expiresAt);
    if (expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt))) {
      return c.json({ error: "expiresAt must be an ISO timestamp" }, 400);
    }
    const scope = isObject(body.scope) ? body.scope : {};
    const strings = (value: unknown) =>
      Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
    const requested = strings(body.permissions);
    const apiKey = state.keys.create({
      name,
      role,
      scope: { agent: text(scope.agent), project: text(scope.project), user: text(scope.user) },
      permissions: requested === undefined
        ? undefined
        : PERMISSIONS.filter((permission) => requested.includes(permission)),
      connector: text(body.connector),
      harness: text(body.harness),
      agentId: text(body.agentId),
      allowedProjects: strings(body.allowedProjects),
      expiresAt: expiresAt ?? null,
    });
    return c.json({ apiKey }, 201);
  });

  app.delete("/api/auth/api-keys/:id", (c) => {
    const apiKey = state.keys.revoke(c.req.param("id"));
    return apiKey === undefined ? c.json({ error: "API key not found" }, 404) : c.json({ apiKey });
  });

  return app;
}
