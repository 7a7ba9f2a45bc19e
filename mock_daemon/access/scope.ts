import { createMiddleware } from "hono/factory";
import { isObject, type JsonObject, text } from "../json.ts";
import { agentInKey } from "../session/sessions.ts";
import { allowedProjects, boundAgent } from "./principal.ts";
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

/** Why the key may not make this request; undefined if it may. */
function refusal(c: MockContext): string | undefined {
  const { principal } = c.get("call");
  const { key } = principal;
  if (key === undefined) return undefined;
  const needed = REQUIRED.find(([method, path]) =>
    (method ?? c.req.method) === c.req.method && path.test(c.req.path)
  )
    ?.[2];
  if (needed !== undefined && !ROLE_PERMISSIONS[key.role].includes(needed)) {
    return `role '${key.role}' lacks '${needed}' permission`;
  }
  if (needed !== undefined && key.permissions !== undefined && !key.permissions.includes(needed)) {
    return `credential lacks '${needed}' permission`;
  }
  const bound = boundAgent(principal);
  if (bound !== undefined && namedAgents(c).some((agent) => agent !== bound)) {
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
 * The agent that a request acts for. Like the real daemon, reads the header only on
 * some routes (not on session hooks), and the body before the session key.
 */
function agentOf(c: MockContext): string {
  const { body, principal } = c.get("call");
  const bound = boundAgent(principal);
  if (bound !== undefined) return bound;
  const sessionHook = /^\/api\/hooks\/(session-start|user-prompt-submit|session-end)$/.test(c.req.path);
  const header = sessionHook ? undefined : text(c.req.header("x-signet-agent-id"));
  const keys = sessionKeys(c).map(agentInKey).filter((agent) => agent !== undefined);
  const inBody = isObject(body) ? text(body.agentId) ?? text(body.fromAgentId) : undefined;
  return inBody ?? text(c.req.query("agent_id")) ?? text(c.req.query("agentId")) ?? keys[0] ?? header ??
    "default";
}

/** Limits a key to its agent and projects on every route; the real daemon does so on some. */
export function scope(state: State) {
  return createMiddleware<MockEnv>(async (c, next) => {
    const call = c.get("call");
    call.agentId = agentOf(c);
    const refused = refusal(c);
    if (refused !== undefined) return c.json({ error: refused }, 403);
    if (/^\/api\/hooks\//.test(c.req.path)) state.agents.ensure(call.agentId);
    return await next();
  });
}
