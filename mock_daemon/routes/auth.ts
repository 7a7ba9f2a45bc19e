import { Hono } from "hono";
import { number, text } from "../json.ts";
import { boundAgent } from "../access/principal.ts";
import { RateLimit, tooMany } from "../access/rate_limit.ts";
import { type MockContext, type MockEnv, peerOf } from "../http/call.ts";
import type { State } from "../state.ts";
import { PERMISSIONS, ROLE_PERMISSIONS, ROLES } from "../store/keys.ts";
import { readScope } from "../store/tokens.ts";

const LOGINS_A_MINUTE = 5;
const DAY_SECONDS = 24 * 60 * 60;

export function auth(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  const mode = state.options.auth ?? "local";
  const { access } = state.profile;
  const { admin } = state.options;
  const logins = new RateLimit(state.clock, LOGINS_A_MINUTE);
  const providers = [
    {
      id: "password",
      type: "password",
      enabled: mode !== "local" && admin !== undefined,
      username: admin?.username ?? "admin",
    },
    { id: "sso", type: "oidc", enabled: false, startPath: "/api/auth/sso/start" },
    { id: "saml", type: "saml", enabled: false, startPath: "/api/auth/saml/start" },
  ];

  const claims = (c: MockContext) => {
    const { principal } = c.get("call");
    const { key } = principal;
    if (key === undefined || (key.kind === "api-key" && !access.whoamiKnowsKeys)) return null;
    return {
      sub: key.sub,
      name: key.name,
      role: key.role,
      scope: { ...key.scope, agent: boundAgent(principal) },
      permissions: key.permissions?.length ? key.permissions : ROLE_PERMISSIONS[key.role],
      connector: key.connector,
      harness: key.harness,
      agentId: key.agentId,
      allowedProjects: key.allowedProjects,
    };
  };

  app.get("/api/auth/whoami", (c) => {
    const { trusted, error } = c.get("call").principal;
    const known = claims(c);
    const who = { authenticated: known !== null, claims: known, mode };
    // 0.58 answers only these fields.
    if (!access.apiKeys) return c.json(who);
    return c.json({
      ...who,
      trustedLocal: trusted && mode === "hybrid",
      effectiveAccess: trusted || known !== null,
      ...(access.whoamiKnowsKeys ? { error: error ?? null } : {}),
      providers,
    });
  });

  app.get("/api/auth/methods", (c) => c.json({ mode, providers }));

  app.post("/api/auth/login", (c) => {
    const until = logins.count(peerOf(c) ?? "local");
    if (until !== undefined) return tooMany(c, state, until);
    if (mode === "local") return c.json({ error: "auth secret not available" }, 400);
    const { body } = c.get("call");
    if (body === undefined) return c.json({ error: "invalid request body" }, 400);
    const username = text(body.username);
    const password = text(body.password);
    if (username === undefined) return c.json({ error: "username is required" }, 400);
    if (password === undefined) return c.json({ error: "password is required" }, 400);
    if (admin === undefined) return c.json({ error: "password login is not configured" }, 503);
    if (username !== admin.username || password !== admin.password) {
      return c.json({ error: "invalid username or password" }, 401);
    }
    const signed = state.tokens.sign({ sub: "dashboard:admin", role: "admin", scope: {} }, DAY_SECONDS);
    return c.json({ ...signed, role: "admin", username });
  });

  app.post("/api/auth/token", (c) => {
    if (mode === "local") return c.json({ error: "auth secret not available (local mode?)" }, 400);
    const { body } = c.get("call");
    if (body === undefined) return c.json({ error: "invalid request body" }, 400);
    const role = ROLES.find((known) => known === body.role);
    if (role === undefined) return c.json({ error: `role must be one of: ${ROLES.join(", ")}` }, 400);
    const ttl = Math.max(0, number(body.ttlSeconds) ?? 0) || DAY_SECONDS;
    return c.json(state.tokens.sign({ sub: `token:${role}`, role, scope: readScope(body.scope) }, ttl));
  });

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
    const strings = (value: unknown) =>
      Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
    const requested = strings(body.permissions);
    const apiKey = state.keys.create({
      name,
      role,
      scope: readScope(body.scope),
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
