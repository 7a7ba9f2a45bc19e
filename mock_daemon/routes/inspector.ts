import { Hono } from "hono";
import { pageResponse } from "../../connectors/base/page/page_response.ts";
import { loopbackOnly } from "../access/loopback_only.ts";
import { INSPECTOR } from "../inspector/page.ts";
import type { MockEnv } from "../http/call.ts";

export function inspector(): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  app.get("/", loopbackOnly, () => pageResponse(INSPECTOR));
  app.get("/favicon.ico", (c) => c.body(null, 204));
  return app;
}
