import type { MockContext } from "../http/call.ts";
import type { State } from "../state.ts";
import type { Credential } from "./principal.ts";
import { RateLimit, retryAfter } from "./rate_limit.ts";

const ADMIN_CALLS_A_MINUTE = 10;
const CHANGES_A_MINUTE = { modify: 60, forget: 30, batch: 5 };

const failed = (c: MockContext) => c.text("Internal Server Error", 500);

/**
 * Refuses callers who are not admins. The real daemon loses the 403 and the 429 of
 * this check and answers 500 in plain text; only the limit sets Retry-After. It runs
 * the check twice on `/api/auth/api-keys`, so the sixth call in a minute is refused.
 */
export function adminGuard(state: State) {
  const limit = new RateLimit(state.clock, ADMIN_CALLS_A_MINUTE);
  return (c: MockContext, key: Credential, lacks: string | undefined): Response | undefined => {
    if (state.profile.access.adminRefusal === 403) {
      return lacks === undefined ? undefined : c.json({ error: lacks }, 403);
    }
    if (lacks !== undefined) return failed(c);
    const checks = c.req.path === "/api/auth/api-keys" ? 2 : 1;
    for (let check = 0; check < checks; check++) {
      const until = limit.count(key.sub);
      if (until === undefined) continue;
      retryAfter(c, state, until);
      return failed(c);
    }
    return undefined;
  };
}

/** The limits on changing memories; the real daemons lose that 429 too, and answer 500 with Retry-After. */
export function changeGuard(state: State) {
  const limits = {
    modify: new RateLimit(state.clock, CHANGES_A_MINUTE.modify),
    forget: new RateLimit(state.clock, CHANGES_A_MINUTE.forget),
    batch: new RateLimit(state.clock, CHANGES_A_MINUTE.batch),
  };
  return (c: MockContext, key: Credential, needed: "modify" | "forget"): Response | undefined => {
    if (state.profile.access.adminRefusal === 403) return undefined;
    const until = limits[c.req.path === "/api/memory/forget" ? "batch" : needed].count(key.sub);
    if (until === undefined) return undefined;
    retryAfter(c, state, until);
    return failed(c);
  };
}
