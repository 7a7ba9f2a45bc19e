import { createMiddleware } from "hono/factory";
import { type MockContext, type MockEnv, peerOf } from "../http/call.ts";
import { isLoopback, isLoopbackHost } from "../http/loopback.ts";

/**
 * Reports whether a web page of another site made the request. Checking `Host` stops
 * DNS rebinding, and checking `Origin` stops cross-site requests.
 */
export function isForeignPage(c: MockContext): boolean {
  const host = c.req.header("host") ?? new URL(c.req.url).host;
  const origin = c.req.header("origin");
  return !isLoopbackHost(host) || (origin !== undefined && origin !== `http://${host}`);
}

/** Allows only requests from this machine. */
export const loopbackOnly = createMiddleware<MockEnv>(async (c, next) => {
  if (!isLoopback(peerOf(c)) || isForeignPage(c)) {
    return c.json({ error: "only programs on this machine may use this route" }, 403);
  }
  return await next();
});
