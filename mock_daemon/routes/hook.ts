import { text } from "../json.ts";
import type { RuntimePath } from "../session/sessions.ts";
import type { JsonObject } from "../json.ts";
import type { Call, MockContext } from "../http/call.ts";
import type { State } from "../state.ts";

/** B answers a body that is not JSON with 500 on every hook route. */
export function malformed(c: MockContext): Response | undefined {
  return c.get("call").malformed ? c.json({ error: "Hook execution failed" }, 500) : undefined;
}

/** The recursion guard that Signet sets on the agents it starts itself. */
export function isInternal(c: MockContext): boolean {
  return c.req.header("x-signet-no-hooks") === "1";
}

/** The header wins; any other value counts as absent. */
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

/** Undefined where the body is no object or names no harness. */
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

/** Notes that the harness and the session were heard of. */
export function hear(state: State, hook: Hook): void {
  // Names come from outside and must not grow without bound.
  if (state.heard.size < 1000 || state.heard.has(hook.harness)) {
    state.heard.set(hook.harness, new Date(state.clock()).toISOString());
  }
  state.sessions.see({
    sessionKey: hook.key ?? null,
    agentId: hook.agentId,
    harness: hook.harness,
    project: hook.project ?? null,
    runtimePath: hook.path ?? null,
  });
}

/** Claims the session where the request can; the other path's name if that holds it. */
export function claim(state: State, hook: Hook): RuntimePath | undefined {
  if (hook.key === undefined || hook.path === undefined) return undefined;
  return state.sessions.claim(hook.agentId, hook.key, hook.path, hook.harness);
}

/** The 200 with which B's hooks step aside for the path that owns the session. */
export function stepAside(c: MockContext, claimedBy: RuntimePath, empty: JsonObject): Response {
  return c.json({ ...empty, skipped: true, duplicateRuntimePath: true, claimedBy });
}

export function bypassed(state: State, hook: Hook): boolean {
  return hook.key !== undefined && state.sessions.isBypassed(hook.agentId, hook.key);
}

export function expiry(state: State, hook: Hook): { warnings?: string[] } {
  const warning = hook.key === undefined ? undefined : state.sessions.expiryWarning(hook.agentId, hook.key);
  return warning === undefined ? {} : { warnings: [warning] };
}
