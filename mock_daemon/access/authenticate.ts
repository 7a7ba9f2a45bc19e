import { createMiddleware } from "hono/factory";
import { isLoopback } from "../http/loopback.ts";
import type { AuthMode } from "../options.ts";
import type { Principal } from "./principal.ts";
import { type MockContext, type MockEnv, peerOf } from "../http/call.ts";
import type { State } from "../state.ts";
import { looksLikeKey } from "../store/keys.ts";

const OPEN = new Set(["/health", "/api/auth/login", "/api/auth/methods", "/api/auth/whoami"]);
const OPEN_UNDER = /^\/api\/auth\/(sso|saml)\//;

/** After this many wrong credentials from one peer within the window, the answer is 429. */
const FAILURES = 10;
const WINDOW_MS = 60_000;

/**
 * Counts wrong credentials per peer. A right key still passes: every connector
 * of one machine shares the address, and one broken one must not lock out the rest.
 */
class FailureLimit {
  readonly #failures = new Map<string, { count: number; until: number }>();
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The time at which the peer may fail again, if it failed too often. */
  fail(peer: string): number | undefined {
    const now = this.#clock();
    if (this.#failures.size > 1000) {
      for (const [one, { until }] of this.#failures) if (until <= now) this.#failures.delete(one);
    }
    const there = this.#failures.get(peer);
    const entry = there !== undefined && there.until > now ? there : { count: 0, until: now + WINDOW_MS };
    entry.count++;
    this.#failures.set(peer, entry);
    return entry.count > FAILURES ? entry.until : undefined;
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
      // B lets a trusted peer pass whatever it shows; the person who wrote the connector should still know.
      if (c.req.header("authorization") !== undefined) {
        call.warnings.push(
          `the credential is not valid (${error}); it was not needed here, and would be elsewhere`,
        );
      }
      return await next();
    }
    if (OPEN.has(c.req.path) || OPEN_UNDER.test(c.req.path)) return await next();
    const wrong = bearer(c) !== undefined;
    const again = wrong ? limit.fail(peerOf(c) ?? "local") : undefined;
    if (again !== undefined) {
      c.header("Retry-After", String(Math.max(1, Math.ceil((again - state.clock()) / 1000))));
      return c.json({ error: "rate limit exceeded", retryAfter: again }, 429);
    }
    c.header("WWW-Authenticate", "Bearer");
    return c.json({ error }, 401);
  });
}
