import { Hono } from "hono";
import { loopbackOnly } from "../access/loopback_only.ts";
import { PAGE, POLICY } from "../inspector/page.ts";
import type { MockEnv } from "../http/call.ts";

export function inspector(): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  app.get("/", loopbackOnly, (c) => {
    c.header("Content-Security-Policy", POLICY);
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Referrer-Policy", "no-referrer");
    c.header("Cache-Control", "no-store");
    return c.html(PAGE);
  });
  app.get("/favicon.ico", (c) => c.body(null, 204));
  return app;
}
