import { AgentCard } from "@a2a-js/sdk";
import { type Context, Hono } from "hono";
import { fnv } from "../../../../hooks/agents/dir.ts";
import type { TaskBoard } from "../tasks/task_board.ts";
import type { Work } from "../work/work.ts";
import { agentCard } from "./agent_card.ts";
import { type Addresses, foreignRequest } from "./guard.ts";
import { httpError } from "./http_error.ts";
import { jsonRpc, type RpcCall } from "./json_rpc.ts";
import { LEGACY_CARD_PATH, LEGACY_VERSION, legacyCard } from "./legacy_card.ts";
import { OpenCalls } from "./open_calls.ts";
import type { PushConfigs } from "./push_configs.ts";
import { readBody } from "./request_body.ts";
import { GatewayHandler } from "./request_handler.ts";
import { rest, type RestRoute } from "./rest.ts";

export interface GatewayOptions {
  readonly board: TaskBoard;
  readonly work: Work;
  readonly push: PushConfigs;
  readonly addresses: Addresses;
  /** The address in agent cards, without a slash at the end. */
  readonly url: string;
  readonly ttlMs: number;
  readonly blockingMs?: number;
  readonly mostStreams?: number;
  /** Serve clients of A2A 0.3, too. */
  readonly compat?: boolean;
  /** The name of the client that a token belongs to. */
  clientOf(token: string): Promise<string | undefined>;
  /** The harness behind a handle, for people; undefined if there is no such agent. */
  harnessOf(handle: string): string | undefined;
  /** The harness of the default agent, if it is known. */
  defaultHarness?(): string | undefined;
}

/** Enough for every program of one person, and few enough to keep their memory small. */
const MOST_STREAMS = 200;
const MOST_WAITING = 500;
const CARD = "/.well-known/agent-card.json";

/** The gateway as a web application. */
export function gatewayApp(options: GatewayOptions): Hono {
  const { addresses } = options;
  const streams = new OpenCalls(options.mostStreams ?? MOST_STREAMS);
  const waiting = new OpenCalls(MOST_WAITING);
  const startedAt = new Date().toUTCString();

  function card(c: Context, agent: string): Response {
    const harness = agent === "" ? options.defaultHarness?.() : options.harnessOf(agent);
    const url = agent === "" ? options.url : `${options.url}/agents/${encodeURIComponent(agent)}`;
    const body = JSON.stringify(AgentCard.toJSON(agentCard({ url, harness })));
    const etag = `"${fnv(body, 0x811c9dc5)}${fnv(body, 0x01000193)}"`;
    const headers = {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=60",
      "Last-Modified": startedAt,
      ETag: etag,
    };
    // Deno compresses the answer, and then marks the tag as weak.
    return c.req.header("if-none-match")?.replace(/^W\//, "") === etag
      ? new Response(null, { status: 304, headers })
      : new Response(body, { headers });
  }

  /** Checks who calls whom, and runs the operation. */
  async function run(c: Context, operation: (call: RpcCall) => Promise<Response>): Promise<Response> {
    const request = c.req.raw;
    const client = await clientOf(request);
    if (client === undefined) return unauthorized();
    const agent = c.req.param("agent") ?? "";
    if (agent !== "" && options.harnessOf(agent) === undefined) return notFound();
    const body = await readBody(request);
    if (body === undefined) return httpError(413, "INVALID_ARGUMENT", "The request is too long.");
    const url = agent === "" ? options.url : `${options.url}/agents/${encodeURIComponent(agent)}`;
    const { board, work, push, ttlMs, blockingMs } = options;
    const handler = new GatewayHandler({
      board,
      work,
      push,
      ttlMs,
      blockingMs,
      agent,
      card: agentCard({ url }),
    });
    return await operation({
      request,
      body,
      client,
      handler,
      // 3.6.2: no version means 0.3.
      version: request.headers.get("a2a-version") || c.req.query("A2A-Version") || LEGACY_VERSION,
      compat: options.compat ?? false,
      enter: (kind) => (kind === "stream" ? streams : waiting).enter(),
      busy: () =>
        httpError(429, "RESOURCE_EXHAUSTED", "Too many calls are open; close some, or try again later.", {
          "Retry-After": "10",
        }),
    });
  }

  async function clientOf(request: Request): Promise<string | undefined> {
    const [, token] = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    return token === undefined ? undefined : await options.clientOf(token);
  }

  const agent = new Hono();
  const operation = (routeOf: (c: Context) => RestRoute) => (c: Context) =>
    run(c, (call) => rest(call, routeOf(c)));
  const task = (c: Context) => c.req.param("task") ?? "";
  /** `:cancel` belongs to the id for the router, because it has no slash. */
  const called = (c: Context) => (c.req.param("call") ?? "").replace(/:[a-z]+$/, "");
  const config = (c: Context) => c.req.param("config") ?? "";
  agent.post("/", (c) => run(c, jsonRpc));
  agent.post("/:verb{message:send}", operation(() => ({ kind: "send" })));
  agent.post("/:verb{message:stream}", operation(() => ({ kind: "stream" })));
  agent.get("/extendedAgentCard", operation(() => ({ kind: "extendedCard" })));
  agent.get("/tasks", operation(() => ({ kind: "list" })));
  agent.post("/tasks/:call{[^/]+:cancel}", operation((c) => ({ kind: "cancel", task: called(c) })));
  agent.on(
    ["GET", "POST"],
    "/tasks/:call{[^/]+:subscribe}",
    operation((c) => ({ kind: "subscribe", task: called(c) })),
  );
  agent.get("/tasks/:task", operation((c) => ({ kind: "get", task: task(c) })));
  const configs = "/tasks/:task/pushNotificationConfigs";
  agent.post(configs, operation((c) => ({ kind: "createConfig", task: task(c) })));
  agent.get(configs, operation((c) => ({ kind: "listConfigs", task: task(c) })));
  agent.get(
    `${configs}/:config`,
    operation((c) => ({ kind: "getConfig", task: task(c), config: config(c) })),
  );
  agent.delete(
    `${configs}/:config`,
    operation((c) => ({ kind: "deleteConfig", task: task(c), config: config(c) })),
  );

  const app = new Hono({ strict: false });
  app.use(async (c, next) => {
    const foreign = foreignRequest(c.req.raw, addresses);
    if (foreign === undefined) await next();
    else c.res = httpError(403, "PERMISSION_DENIED", foreign);
    c.res.headers.set("X-Content-Type-Options", "nosniff");
  });
  app.get(CARD, (c) => card(c, ""));
  if (options.compat) {
    app.get(
      LEGACY_CARD_PATH,
      (c) => c.json(legacyCard(agentCard({ url: options.url, harness: options.defaultHarness?.() }))),
    );
  }
  // Which agents there are is nobody's business without a token.
  app.get(`/agents/:agent${CARD}`, async (c) => {
    if (await clientOf(c.req.raw) === undefined) return unauthorized();
    const handle = c.req.param("agent");
    return options.harnessOf(handle) === undefined ? notFound() : card(c, handle);
  });
  app.route("/agents/:agent", agent);
  app.route("/", agent);
  app.notFound(async (c) => await clientOf(c.req.raw) === undefined ? unauthorized() : notFound());
  app.onError(() => httpError(500, "INTERNAL", "The gateway failed."));
  return app;
}

function unauthorized(): Response {
  return httpError(401, "UNAUTHENTICATED", "A token of this gateway is needed.", {
    "WWW-Authenticate": "Bearer",
  });
}

function notFound(): Response {
  return httpError(404, "NOT_FOUND", "There is no such agent or operation.");
}
