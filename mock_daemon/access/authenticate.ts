import { createMiddleware } from "hono/factory";
import { isForeignPage, isLoopback } from "../../connectors/base/page/local_request.ts";
import type { AuthMode } from "../options.ts";
import type { Credential, Principal } from "./principal.ts";
import { type MockContext, type MockEnv, peerOf } from "../http/call.ts";
import type { State } from "../state.ts";
import { looksLikeKey } from "../store/keys.ts";
import { RateLimit, tooMany } from "./rate_limit.ts";

/**
 * More invalid credentials than this from one peer within a minute are answered with
 * 429. A valid key still passes: all connectors on a machine share its address, and a
 * broken one must not lock out the others.
 */
const MAX_FAILURES = 10;

function bearer(c: MockContext): string | undefined {
  return /^Bearer (\S+)$/.exec(c.req.header("authorization") ?? "")?.[1];
}

function checkToken(state: State, token: string): Credential | string {
  const { access } = state.profile;
  if (access.apiKeys && looksLikeKey(token)) {
    const checked = state.keys.check(token);
    if (!checked.ok) return checked.error;
    const { key } = checked;
    const boundAgent = key.scope?.agent ?? (access.agentIdBinds ? key.agentId ?? undefined : undefined);
    return { ...key, kind: "api-key", sub: `api-key:${key.prefix}`, boundAgent };
  }
  const checked = state.tokens.check(token);
  if (!checked.ok) return checked.error;
  const { sub, role, scope } = checked.claims;
  return { kind: "token", sub, name: sub, role, scope, boundAgent: scope.agent };
}

function identify(c: MockContext, state: State, mode: AuthMode): Principal {
  if (mode === "local" && !state.profile.access.keysCountInLocalMode) return { trusted: true };
  const trusted = mode === "local" || (mode === "hybrid" && isLoopback(peerOf(c)));
  const header = c.req.header("authorization");
  if (header === undefined) return trusted ? { trusted } : { trusted, error: "authentication required" };
  const token = bearer(c);
  if (token === undefined) return { trusted, error: "authentication required" };
  const credential = checkToken(state, token);
  return typeof credential === "string"
    ? { trusted, error: credential }
    : { trusted: false, key: credential };
}

export function authenticate(state: State) {
  const mode = state.options.auth ?? "local";
  const failures = new RateLimit(state.clock, MAX_FAILURES);
  return createMiddleware<MockEnv>(async (c, next) => {
    const call = c.get("call");
    const principal = identify(c, state, mode);
    call.principal = principal;
    const { error } = principal;
    // Without keys, a web page that the user visits could read and write every memory.
    if (principal.trusted && c.req.path.startsWith("/api/") && isForeignPage(c.req.raw)) {
      return c.json({ error: "requests from other sites are refused" }, 403);
    }
    if (error === undefined) return await next();
    if (principal.trusted) {
      // The real daemon accepts any credential from a trusted peer; warn the connector's author.
      if (c.req.header("authorization") !== undefined) {
        call.warnings.push(
          `invalid credential (${error}): accepted from this peer, but rejected where a key is required`,
        );
      }
      return await next();
    }
    if (state.profile.access.open.test(c.req.path)) return await next();
    const counts = state.profile.access.limitsFailures && bearer(c) !== undefined;
    const until = counts ? failures.count(peerOf(c) ?? "local") : undefined;
    if (until !== undefined) return tooMany(c, state, until);
    c.header("WWW-Authenticate", "Bearer");
    return c.json({ error }, 401);
  });
}
