import { Hono } from "hono";
import { isObject } from "../../../../hooks/json.ts";
import { asUserError } from "../../../base/cli/as_user_error.ts";
import { type Context, EXIT, UserError } from "../../../base/cli/command.ts";
import { eventStream } from "../../../base/page/event_stream.ts";
import { isForeignPage, isLoopback } from "../../../base/page/local_request.ts";
import { pageResponse } from "../../../base/page/page_response.ts";
import { allowedIn, parseSend, releaseLock, sendMessage } from "./actions.ts";
import type { Feed } from "./feed.ts";
import { MONITOR } from "./page/page.ts";
import { conversation, searchHistory } from "./search.ts";
import { isToken } from "./token.ts";

export interface ServerOptions {
  readonly context: Context;
  readonly feed: Feed;
  readonly token: string;
  /** Ends the streams of events. */
  readonly signal: AbortSignal;
}

interface Env {
  /** The address of the peer; undefined for a call without a socket. */
  Bindings: { readonly peer?: string } | undefined;
}

/** A message has up to 64 Ki characters. */
const MAX_BODY = 512 * 1024;
const BEARER = /^Bearer (\S+)$/;

/**
 * The monitor page and its data. Other web pages can neither read nor post: requests with a foreign Host
 * or Origin are refused, and everything but the empty page needs the token, which only the address that
 * the command prints has. A form of another site cannot send it, and cannot send JSON either.
 */
export function monitorServer({ context, feed, token, signal }: ServerOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    if (!isLoopback(c.env?.peer) || isForeignPage(c.req.raw)) {
      return c.json({ error: "Only the monitor's own page on this machine may use this address." }, 403);
    }
    return await next();
  });
  app.use("/api/*", async (c, next) => {
    // The browser's EventSource sends no headers of ours.
    const given = c.req.path === "/api/events"
      ? c.req.query("token")
      : BEARER.exec(c.req.header("authorization") ?? "")?.[1];
    if (!isToken(given, token)) return c.json({ error: "The token is missing or wrong." }, 401);
    c.header("Cache-Control", "no-store");
    return await next();
  });
  app.get("/", () => pageResponse(MONITOR));
  app.get("/favicon.ico", (c) => c.body(null, 204));
  app.get("/api/info", (c) => c.json({ allowed: allowedIn(context.mode), binary: context.binary }));
  app.get("/api/events", () => eventStream(signal, (push) => feed.listen(push)));
  app.get("/api/history", (c) => {
    const { words = "", agent, since } = c.req.query();
    return c.json({ messages: searchHistory(context, { words, agent, since }) });
  });
  app.get(
    "/api/conversation/:id",
    (c) => c.json({ messages: conversation(context, c.req.param("id")) }),
  );
  app.post("/api/send", async (c) => {
    const request = parseSend(await readJson(c.req.raw));
    if (request === undefined) throw new UserError("A message needs a receiver and a text.", EXIT.usage);
    return c.json(await sendMessage(context, request));
  });
  app.post("/api/release", async (c) => {
    const body = await readJson(c.req.raw);
    const given = isObject(body) && typeof body.token === "string" ? body.token : "";
    const lock = given === "" ? undefined : feed.lock(given);
    if (lock === undefined) throw new UserError("This lock is not held any more.", EXIT.degraded);
    return c.json(await releaseLock(context, lock));
  });
  app.notFound((c) => c.json({ error: "There is no such page." }, 404));
  app.onError((error, c) => {
    const shown = asUserError(error);
    if (shown === undefined) {
      context.ui.warn(`The monitor page: ${error.message}`);
      return c.json({ error: "The monitor failed; its terminal shows why." }, 500);
    }
    const status = shown.code === EXIT.refused ? 403 : 400;
    return c.json({ error: shown.message, next: shown.next }, status);
  });
  return app;
}

async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new UserError("The request must be JSON (content-type: application/json).", EXIT.usage);
  }
  if (Number(request.headers.get("content-length") ?? MAX_BODY + 1) > MAX_BODY) {
    throw new UserError("The request is too large.", EXIT.usage);
  }
  try {
    return await request.json();
  } catch {
    throw new UserError("The request is not valid JSON.", EXIT.usage);
  }
}
