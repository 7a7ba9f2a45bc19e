import { createMiddleware } from "hono/factory";
import { isObject, type JsonObject, text } from "../json.ts";
import { agentInKey } from "../session/sessions.ts";
import type { AccessRules } from "./access_rules.ts";
import { adminGuard, changeGuard } from "./guards.ts";
import { allowedProjects, boundAgent, type Credential } from "./principal.ts";
import type { MockContext, MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";
import { type Permission, ROLE_PERMISSIONS } from "../store/keys.ts";

/** The permission each route requires; the first match wins. */
const REQUIRED: readonly (readonly [string | undefined, RegExp, Permission | undefined])[] = [
  [undefined, /^\/api\/hooks\/(session-start|user-prompt-submit|pre-compaction|recall)$/, "recall"],
  [undefined, /^\/api\/hooks\//, "remember"],
  [undefined, /^\/api\/memory\/(recall|search)$/, "recall"],
  [undefined, /^\/api\/memory\/(remember|feedback)$/, "remember"],
  [undefined, /^\/api\/memory\/modify$/, "modify"],
  [undefined, /^\/api\/memory\/forget$/, "forget"],
  ["PATCH", /^\/api\/memory\//, "modify"],
  ["DELETE", /^\/api\/memory\//, "forget"],
  ["GET", /^\/api\/(memory|memories)(\/|$)/, "recall"],
  [undefined, /^\/api\/knowledge\//, "recall"],
  ["GET", /^\/api\/cross-agent\//, "recall"],
  [undefined, /^\/api\/cross-agent\//, "remember"],
  [undefined, /^\/api\/auth\/(token|api-keys)(\/|$)/, "admin"],
  ["GET", /^\/api\/agents(\/|$)/, "recall"],
  [undefined, /^\/api\/agents(\/|$)/, "admin"],
  [undefined, /^\/api\/harnesses\/regenerate$/, "admin"],
];

const AGENT_FIELDS = ["agentId", "agent_id", "fromAgentId", "from_agent_id"];
const SESSION_FIELDS = [
  "sessionKey",
  "session_key",
  "sessionId",
  "session_id",
  "fromSessionKey",
  "parentSessionKey",
];

function fields(body: JsonObject | undefined, names: readonly string[]): string[] {
  if (body === undefined) return [];
  const context = isObject(body.requestContext) ? body.requestContext : {};
  return names.flatMap((name) => [text(body[name]), text(context[name])]).filter((value) =>
    value !== undefined
  );
}

function inPath(c: MockContext, pattern: RegExp): string[] {
  const segment = pattern.exec(c.req.path)?.[1];
  if (segment === undefined) return [];
  try {
    return [decodeURIComponent(segment)];
  } catch {
    return [segment];
  }
}

function sessionKeys(c: MockContext): string[] {
  return [
    ...fields(c.get("call").body, SESSION_FIELDS),
    c.req.header("x-signet-session-key"),
    c.req.query("session_key"),
    c.req.query("sessionKey"),
    ...inPath(c, /^\/api\/sessions\/([^/]+)/),
    ...inPath(c, /^\/api\/cross-agent\/presence\/([^/]+)/),
  ].filter((key) => key !== undefined);
}

/** Every agent that a request names, in any field, header or parameter. */
export function namedAgents(c: MockContext): string[] {
  return [
    ...fields(c.get("call").body, AGENT_FIELDS),
    text(c.req.header("x-signet-agent-id")),
    ...(c.req.queries("agent_id") ?? []),
    ...(c.req.queries("agentId") ?? []),
    ...sessionKeys(c).map(agentInKey),
    ...inPath(c, /^\/api\/agents\/(.+)$/),
  ].filter((agent) => text(agent) !== undefined).map(String);
}

function namedProjects(c: MockContext): string[] {
  return [
    ...fields(c.get("call").body, ["project", "cwd"]),
    text(c.req.query("project")),
  ].filter((project) => project !== undefined);
}

function isUnder(project: string, allowed: string): boolean {
  const plain = project.replace(/\/+$/, "");
  // `/home/u/app/../other` is not under `/home/u/app`.
  return (plain === allowed || plain.startsWith(`${allowed}/`)) && !plain.split("/").includes("..");
}

function permissionNeeded(c: MockContext, access: AccessRules): Permission | undefined {
  if (access.unguarded.test(c.req.path)) return undefined;
  return REQUIRED.find(([method, path]) => (method ?? c.req.method) === c.req.method && path.test(c.req.path))
    ?.[2];
}

/** Why the key lacks the permission for this request; undefined if it has it. */
function lacking(key: Credential, needed: Permission): string | undefined {
  if (!ROLE_PERMISSIONS[key.role].includes(needed)) return `role '${key.role}' lacks '${needed}' permission`;
  const given = key.permissions ?? [];
  if (given.length > 0 && !given.includes(needed)) return `credential lacks '${needed}' permission`;
  return undefined;
}

/** Why the key may not act for the agent and project that the request names; undefined if it may. */
function outOfScope(c: MockContext, access: AccessRules): string | undefined {
  const { principal, agentId } = c.get("call");
  const bound = boundAgent(principal);
  if (
    bound !== undefined && access.bound.some(({ path }) => path.test(c.req.path)) &&
    [agentId, ...namedAgents(c)].some((agent) => agent !== bound)
  ) {
    return `scope restricted to agent '${bound}'`;
  }
  const allowed = allowedProjects(principal);
  if (
    allowed !== undefined &&
    namedProjects(c).some((named) => !allowed.some((project) => isUnder(named, project)))
  ) {
    return `scope restricted to project '${allowed.join("', '")}'`;
  }
  return undefined;
}

/**
 * The agent that a request names. Like the real daemon, reads the header only on
 * some routes (not on session hooks), and the body before the session key.
 */
function namedAgent(c: MockContext): string | undefined {
  const { body } = c.get("call");
  const sessionHook = /^\/api\/hooks\/(session-start|user-prompt-submit|session-end)$/.test(c.req.path);
  const header = sessionHook ? undefined : text(c.req.header("x-signet-agent-id"));
  const keys = sessionKeys(c).map(agentInKey).filter((agent) => agent !== undefined);
  const inBody = isObject(body) ? text(body.agentId) ?? text(body.fromAgentId) : undefined;
  return inBody ?? text(c.req.query("agent_id")) ?? text(c.req.query("agentId")) ?? keys[0] ?? header;
}

/** The agent whose data a request uses. */
function agentOf(c: MockContext, access: AccessRules): string {
  const rule = access.bound.find(({ path }) => path.test(c.req.path));
  if (!access.agents && rule === undefined) return "default";
  const unnamed = rule?.unnamed === "bound" ? boundAgent(c.get("call").principal) : undefined;
  return namedAgent(c) ?? unnamed ?? "default";
}

/** Limits a key to its permissions, its agent and its projects, as far as the daemon does. */
export function scope(state: State) {
  const { access } = state.profile;
  const refuseAdmin = adminGuard(state);
  const refuseChange = changeGuard(state);
  return createMiddleware<MockEnv>(async (c, next) => {
    const call = c.get("call");
    call.agentId = agentOf(c, access);
    call.namedAgent = namedAgent(c) ?? boundAgent(call.principal) ?? "default";
    const { key } = call.principal;
    if (key !== undefined) {
      const needed = permissionNeeded(c, access);
      const lacks = needed === undefined ? undefined : lacking(key, needed);
      if (needed === "admin" && c.req.path.startsWith("/api/auth/")) {
        const refused = refuseAdmin(c, key, lacks);
        if (refused !== undefined) return refused;
      } else if (lacks !== undefined) return c.json({ error: lacks }, 403);
      if (needed === "modify" || needed === "forget") {
        const refused = refuseChange(c, key, needed);
        if (refused !== undefined) return refused;
      }
      const foreign = outOfScope(c, access);
      if (foreign !== undefined) return c.json({ error: foreign }, 403);
    }
    if (access.agents && /^\/api\/hooks\//.test(c.req.path)) state.agents.ensure(call.agentId);
    return await next();
  });
}
