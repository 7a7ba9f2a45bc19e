import { Hono } from "hono";
import page from "../inspector/page.html" with { type: "text" };
import type { MockEnv } from "../state.ts";
import { onlyHere } from "./mock.ts";

// The page's own script and style are inline; nothing may be loaded from anywhere else.
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; " +
  "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function inspector(): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  app.get("/", onlyHere, (c) => {
    c.header("Content-Security-Policy", POLICY);
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Referrer-Policy", "no-referrer");
    c.header("Cache-Control", "no-store");
    return c.html(page);
  });
  app.get("/favicon.ico", (c) => c.body(null, 204));
  return app;
}
