import { createMiddleware } from "hono/factory";
import { type MockEnv, peerOf } from "../http/call.ts";
import { isLoopback, isLoopbackHost } from "../http/loopback.ts";

/**
 * Allows only requests from this machine. Checking `Host` stops DNS rebinding, and
 * checking `Origin` stops cross-site requests from a web page.
 */
export const loopbackOnly = createMiddleware<MockEnv>(async (c, next) => {
  const host = c.req.header("host") ?? new URL(c.req.url).host;
  const origin = c.req.header("origin");
  const foreign = origin !== undefined && origin !== `http://${host}`;
  if (!isLoopback(peerOf(c)) || !isLoopbackHost(host) || foreign) {
    return c.json({ error: "only programs on this machine may use this route" }, 403);
  }
  return await next();
});
