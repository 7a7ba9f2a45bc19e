import { A2A_ERROR_CODE, ContentTypeNotSupportedError, toJsonRpcError } from "@a2a-js/sdk/errors";
import { JsonRpcTransportHandler, validateVersion } from "@a2a-js/sdk/server";
import { isObject } from "../../../../hooks/json.ts";
import { callerContext } from "./caller_context.ts";
import type { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { LEGACY_VERSION } from "./legacy_card.ts";
import { eventResponse } from "./event_response.ts";
import type { GatewayHandler } from "./request_handler.ts";
import { isJson } from "./request_body.ts";

/** Methods that stay open, with their names in 0.3. */
const STREAMS = ["SendStreamingMessage", "SubscribeToTask", "message/stream", "tasks/resubscribe"];
const SENDS = ["SendMessage", "message/send"];

export interface RpcCall {
  readonly request: Request;
  readonly body: string;
  readonly client: string;
  readonly handler: GatewayHandler;
  readonly version: string;
  /** Whether clients of A2A 0.3 are served, too. */
  readonly compat: boolean;
  /** Counts a call that stays open; undefined if there are too many. */
  enter(kind: "stream" | "wait"): (() => void) | undefined;
  /** The answer when there are too many. */
  busy(): Response;
}

/** The JSON-RPC binding: one address, and the method is in the body. */
export async function jsonRpc(call: RpcCall): Promise<Response> {
  const { request, body, client, handler } = call;
  if (!isJson(request)) return answer(null, toJsonRpcError(notJson(request)));
  const parsed = parse(body);
  if (parsed === undefined) return answer(null, { code: A2A_ERROR_CODE.PARSE_ERROR, message: "Parse error" });
  const id = isObject(parsed) ? requestId(parsed.id) : undefined;
  if (
    !isObject(parsed) || id === undefined || parsed.jsonrpc !== "2.0" || typeof parsed.method !== "string"
  ) {
    return answer(id ?? null, { code: A2A_ERROR_CODE.INVALID_REQUEST, message: "Invalid Request" });
  }
  const isLegacy = call.compat && call.version === LEGACY_VERSION;
  try {
    if (!isLegacy) validateVersion(call.version, await handler.getAgentCard(), "JSONRPC");
  } catch (error) {
    return answer(id, toJsonRpcError(error));
  }
  const kind = STREAMS.includes(parsed.method)
    ? "stream"
    : SENDS.includes(parsed.method)
    ? "wait"
    : undefined;
  const leave = kind === undefined ? () => {} : call.enter(kind);
  if (leave === undefined) return call.busy();
  const gone = new AbortController();
  const context = callerContext(client, { requestedVersion: call.version, signal: gone.signal });
  const abort = () => gone.abort();
  if (kind === "wait") request.signal.addEventListener("abort", abort, { once: true });
  let result: Awaited<ReturnType<Transport["handle"]>>;
  try {
    result = await (await transport(handler, isLegacy)).handle(parsed, context);
  } finally {
    request.signal.removeEventListener("abort", abort);
    if (kind === "wait") leave();
  }
  if (!(Symbol.asyncIterator in result)) {
    if (kind === "stream") leave();
    return Response.json(hideBugs(result));
  }
  try {
    return await eventResponse({
      events: result,
      encode: (event) => event,
      encodeError: (error) => ({ jsonrpc: "2.0", id, error: toJsonRpcError(error) }),
      gone: abort,
      over: leave,
    });
  } catch (error) {
    return answer(id, toJsonRpcError(error));
  }
}

type Transport = JsonRpcTransportHandler | LegacyJsonRpcTransportHandler;

async function transport(handler: GatewayHandler, isLegacy: boolean): Promise<Transport> {
  if (!isLegacy) return new JsonRpcTransportHandler(handler);
  const { LegacyJsonRpcTransportHandler } = await import("@a2a-js/sdk/compat/v0_3/server");
  return new LegacyJsonRpcTransportHandler(handler);
}

function answer(id: string | number | null, error: { code: number; message: string }): Response {
  return Response.json(hideBugs({ jsonrpc: "2.0", id, error }));
}

/** Our own bugs are not described to clients. */
function hideBugs<T extends object>(response: T): T {
  if (!("error" in response) || !isObject(response.error)) return response;
  if (response.error.code !== A2A_ERROR_CODE.INTERNAL_ERROR) return response;
  return { ...response, error: { code: A2A_ERROR_CODE.INTERNAL_ERROR, message: "Internal error" } };
}

function notJson(request: Request): ContentTypeNotSupportedError {
  const type = request.headers.get("content-type") ?? "nothing";
  return new ContentTypeNotSupportedError(`The content type is ${type}, and not application/json.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The id to answer with; undefined if it is not one. */
function requestId(id: unknown): string | number | null | undefined {
  if (id === undefined) return null;
  return typeof id === "string" || id === null || (typeof id === "number" && Number.isInteger(id))
    ? id
    : undefined;
}
