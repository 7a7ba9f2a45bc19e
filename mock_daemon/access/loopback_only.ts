import { createMiddleware } from "hono/factory";
import { isForeignPage, isLoopback } from "../../connectors/base/page/local_request.ts";
import { type MockEnv, peerOf } from "../http/call.ts";

/** Allows only requests from this machine. */
export const loopbackOnly = createMiddleware<MockEnv>(async (c, next) => {
  if (!isLoopback(peerOf(c)) || isForeignPage(c.req.raw)) {
    return c.json({ error: "only programs on this machine may use this route" }, 403);
  }
  return await next();
});
