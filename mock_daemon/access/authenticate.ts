import { createMiddleware } from "hono/factory";
import { isLoopback } from "../http/loopback.ts";
import type { AuthMode } from "../options.ts";
import type { Principal } from "./principal.ts";
import { type MockContext, type MockEnv, peerOf } from "../http/call.ts";
import type { State } from "../state.ts";
import { looksLikeKey } from "../store/keys.ts";

const PUBLIC = new Set(["/health", "/api/auth/login", "/api/auth/methods", "/api/auth/whoami"]);
const PUBLIC_PREFIX = /^\/api\/auth\/(sso|saml)\//;

/** More invalid credentials than this from one peer within the window are answered with 429. */
const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;

/**
 * Counts invalid credentials per peer. A valid key still passes: all connectors on
 * a machine share its address, and a broken one must not lock out the others.
 */
class FailureLimit {
  readonly #failures = new Map<string, { count: number; until: number }>();
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Counts a failure. Returns when the limit ends, if the peer is over it. */
  fail(peer: string): number | undefined {
    const now = this.#clock();
    if (this.#failures.size > 1000) {
      for (const [known, { until }] of this.#failures) if (until <= now) this.#failures.delete(known);
    }
    const current = this.#failures.get(peer);
    const entry = current !== undefined && current.until > now
      ? current
      : { count: 0, until: now + WINDOW_MS };
    entry.count++;
    this.#failures.set(peer, entry);
    return entry.count > MAX_FAILURES ? entry.until : undefined;
  }
}

function bearer(c: MockContext): string | undefined {
  return /^Bearer (\S+)$/.exec(c.req.header("authorization") ?? "")?.[1];
}

function identify(c: MockContext, state: State, mode: AuthMode): Principal {
  const trusted = mode === "local" || (mode === "hybrid" && isLoopback(peerOf(c)));
  const header = c.req.header("authorization");
  if (header === undefined) return trusted ? { trusted } : { trusted, error: "authentication required" };
  const token = bearer(c);
  if (token === undefined) return { trusted, error: "authentication required" };
  if (!looksLikeKey(token)) return { trusted, error: "malformed token" };
  const checked = state.keys.check(token);
  return checked.ok ? { trusted: false, key: checked.key } : { trusted, error: checked.error };
}

export function authenticate(state: State) {
  const mode = state.options.auth ?? "local";
  const limit = new FailureLimit(state.clock);
  return createMiddleware<MockEnv>(async (c, next) => {
    const call = c.get("call");
    const principal = identify(c, state, mode);
    call.principal = principal;
    const { error } = principal;
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
    if (PUBLIC.has(c.req.path) || PUBLIC_PREFIX.test(c.req.path)) return await next();
    const hasToken = bearer(c) !== undefined;
    const retryAt = hasToken ? limit.fail(peerOf(c) ?? "local") : undefined;
    if (retryAt !== undefined) {
      c.header("Retry-After", String(Math.max(1, Math.ceil((retryAt - state.clock()) / 1000))));
      return c.json({ error: "rate limit exceeded", retryAfter: retryAt }, 429);
    }
    c.header("WWW-Authenticate", "Bearer");
    return c.json({ error }, 401);
  });
}
