import { createMiddleware } from "hono/factory";
import type { MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";

/** Answers 404 on the routes that the daemon lacks. A missing key is 401 even there. */
export function missing(state: State) {
  return createMiddleware<MockEnv>(async (c, next) => {
    const lacks = state.profile.missing.some((pattern) => pattern.test(c.req.path));
    return lacks ? c.text("404 Not Found", 404) : await next();
  });
}
