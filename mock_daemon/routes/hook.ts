import { text } from "../json.ts";
import { plainKey, type RuntimePath } from "../session/sessions.ts";
import type { JsonObject } from "../json.ts";
import type { Call, MockContext } from "../http/call.ts";
import type { State } from "../state.ts";

/** The real daemon answers 500 to a body that is not JSON, on every hook route. */
export function malformed(c: MockContext, error = "Hook execution failed"): Response | undefined {
  return c.get("call").malformed ? c.json({ error }, 500) : undefined;
}

/** Signet sets this header on agents it starts itself, to prevent recursion. */
export function isInternal(c: MockContext): boolean {
  return c.req.header("x-signet-no-hooks") === "1";
}

/** The header takes precedence; unknown values are ignored. */
export function runtimePath(c: MockContext, body: JsonObject): RuntimePath | undefined {
  const given = c.req.header("x-signet-runtime-path") || body.runtimePath;
  return given === "plugin" || given === "legacy" ? given : undefined;
}

/** What every session hook reads from its body. */
export interface Hook {
  readonly call: Call;
  readonly body: JsonObject;
  readonly harness: string;
  readonly agentId: string;
  readonly key: string | undefined;
  readonly path: RuntimePath | undefined;
  readonly project: string | undefined;
}

/** Undefined if the body is not an object or has no harness. */
export function readHook(c: MockContext): Hook | undefined {
  const call = c.get("call");
  const { body } = call;
  const harness = text(body?.harness);
  if (body === undefined || harness === undefined) return undefined;
  return {
    call,
    body,
    harness,
    agentId: call.agentId,
    key: text(body.sessionKey) ?? text(body.sessionId),
    path: runtimePath(c, body),
    project: text(body.project) ?? text(body.cwd),
  };
}

/** Records when the harness and the session were last seen. */
export function recordSeen(state: State, hook: Hook): void {
  // Harness names come from clients, so their number is bounded.
  if (state.lastSeen.size < 1000 || state.lastSeen.has(hook.harness)) {
    state.lastSeen.set(hook.harness, new Date(state.clock()).toISOString());
  }
  state.presence.record({
    sessionKey: hook.key === undefined ? undefined : plainKey(hook.key),
    agentId: hook.call.namedAgent,
    harness: hook.harness,
    project: hook.project,
    runtimePath: hook.path,
    provider: hook.harness,
  });
}

/** Claims the session if the request has a key and a path. Returns the owner if the other path holds it. */
export function claim(state: State, hook: Hook, isStart = false): RuntimePath | undefined {
  if (hook.key === undefined || hook.path === undefined) return undefined;
  if (!isStart && !state.profile.sessions.everyHookClaims) {
    const owner = state.sessions.owner(hook.agentId, hook.key);
    return owner === hook.path ? undefined : owner;
  }
  return state.sessions.claim(hook.agentId, hook.key, hook.path, hook.harness);
}

export function conflict(c: MockContext, owner: RuntimePath): Response {
  return c.json({ error: `session claimed by ${owner} path` }, 409);
}

/** The response of most hooks when the other path owns the session: a 200 that says so, or 409 on 0.58. */
export function skipForOwner(
  c: MockContext,
  state: State,
  claimedBy: RuntimePath,
  empty: JsonObject,
): Response {
  if (!state.profile.sessions.everyHookClaims) return conflict(c, claimedBy);
  return c.json({ ...empty, skipped: true, duplicateRuntimePath: true, claimedBy });
}

export function bypassed(state: State, hook: Hook): boolean {
  return hook.key !== undefined && state.sessions.isBypassed(hook.agentId, hook.key);
}

export function expiry(state: State, hook: Hook): { warnings?: string[] } {
  const warning = hook.key === undefined ? undefined : state.sessions.expiryWarning(hook.agentId, hook.key);
  return warning === undefined ? {} : { warnings: [warning] };
}
