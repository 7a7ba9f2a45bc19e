import {
  A2A_CONTENT_TYPE,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import {
  ContentTypeNotSupportedError,
  RequestMalformedError,
  restStatusFor,
  toRestErrorBody,
} from "@a2a-js/sdk/errors";
import { type ServerCallContext, validateVersion } from "@a2a-js/sdk/server";
import { isObject } from "../../../../hooks/json.ts";
import { callerContext } from "./caller_context.ts";
import { eventResponse } from "./event_response.ts";
import { restError } from "./http_error.ts";
import type { RpcCall } from "./json_rpc.ts";
import { isJson } from "./request_body.ts";

/** What a REST path names. */
export type RestRoute =
  | { readonly kind: "stream" }
  | { readonly kind: "send" | "list" | "extendedCard" }
  | { readonly kind: "subscribe"; readonly task: string }
  | { readonly kind: "get" | "cancel" | "listConfigs" | "createConfig"; readonly task: string }
  | { readonly kind: "getConfig" | "deleteConfig"; readonly task: string; readonly config: string };

/** The HTTP+JSON binding: the operation is in the path. */
export async function rest(call: RpcCall, route: RestRoute): Promise<Response> {
  const { request, client, handler } = call;
  const type = answerType(request);
  const gone = new AbortController();
  const abort = () => gone.abort();
  const context = callerContext(client, { requestedVersion: call.version, signal: gone.signal });
  const kind = route.kind === "send"
    ? "wait"
    : route.kind === "stream" || route.kind === "subscribe"
    ? "stream"
    : undefined;
  const leave = kind === undefined ? () => {} : call.enter(kind);
  if (leave === undefined) return call.busy();
  try {
    validateVersion(call.version, await handler.getAgentCard(), "HTTP+JSON");
    if (route.kind === "stream" || route.kind === "subscribe") {
      const events = route.kind === "stream"
        ? handler.sendMessageStream(SendMessageRequest.fromJSON(bodyOf(call)), context)
        : handler.resubscribe({ id: route.task, tenant: "" }, context);
      return await eventResponse({
        events,
        encode: StreamResponse.toJSON,
        encodeError: (error) => toRestErrorBody(error, restStatusFor(error)),
        gone: abort,
        over: leave,
      });
    }
    if (kind === "wait") request.signal.addEventListener("abort", abort, { once: true });
    const { status, body } = await operation(call, route, context);
    if (body === undefined) return new Response(null, { status });
    return new Response(JSON.stringify(body), { status, headers: { "Content-Type": type } });
  } catch (error) {
    leave();
    return restError(error);
  } finally {
    request.signal.removeEventListener("abort", abort);
    if (kind === "wait") leave();
  }
}

async function operation(
  call: RpcCall,
  route: RestRoute,
  context: ServerCallContext,
): Promise<{ status: number; body?: unknown }> {
  const { handler } = call;
  const query = new URL(call.request.url).searchParams;
  const ok = (body: unknown, status = 200) => ({ status, body });
  switch (route.kind) {
    case "send": {
      const result = await handler.sendMessage(SendMessageRequest.fromJSON(bodyOf(call)), context);
      return ok(SendMessageResponse.toJSON({
        payload: "messageId" in result
          ? { $case: "message", value: result }
          : { $case: "task", value: result },
      }));
    }
    case "get": {
      const historyLength = numberIn(query, "historyLength");
      return ok(Task.toJSON(await handler.getTask({ id: route.task, tenant: "", historyLength }, context)));
    }
    case "list":
      return ok(listed(await handler.listTasks(listRequest(query), context), query));
    case "cancel":
      return ok(
        Task.toJSON(await handler.cancelTask({ id: route.task, tenant: "", metadata: undefined }, context)),
      );
    case "createConfig": {
      const config = TaskPushNotificationConfig.fromJSON({ ...bodyOf(call), taskId: route.task });
      return ok(
        TaskPushNotificationConfig.toJSON(await handler.createTaskPushNotificationConfig(config, context)),
        201,
      );
    }
    case "listConfigs": {
      const configs = await handler.listTaskPushNotificationConfigs({ taskId: route.task }, context);
      return ok(ListTaskPushNotificationConfigsResponse.toJSON(configs));
    }
    case "getConfig": {
      const config = await handler.getTaskPushNotificationConfig(
        { taskId: route.task, id: route.config },
        context,
      );
      return ok(TaskPushNotificationConfig.toJSON(config));
    }
    case "deleteConfig":
      await handler.deleteTaskPushNotificationConfig({ taskId: route.task, id: route.config }, context);
      return { status: 204 };
    case "extendedCard":
      return ok(await handler.getAuthenticatedExtendedAgentCard());
    default:
      throw new RequestMalformedError("There is no such operation.");
  }
}

/** Like the request: a client that knows only JSON gets JSON. */
function answerType(request: Request): string {
  const [type = ""] = (request.headers.get("content-type") ?? request.headers.get("accept") ?? "").split(
    ";",
    1,
  );
  return type.trim().toLowerCase() === "application/json" ? "application/json" : A2A_CONTENT_TYPE;
}

function bodyOf({ request, body }: RpcCall): Record<string, unknown> {
  if (!isJson(request)) {
    const type = request.headers.get("content-type") ?? "nothing";
    throw new ContentTypeNotSupportedError(`The content type is ${type}, and not ${A2A_CONTENT_TYPE}.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new RequestMalformedError("The body is not valid JSON.");
  }
  if (!isObject(value)) throw new RequestMalformedError("The body is not a JSON object.");
  return value;
}

function listRequest(query: URLSearchParams): ListTasksRequest {
  const text = (name: string) => query.get(name) ?? undefined;
  return ListTasksRequest.fromJSON({
    contextId: text("contextId"),
    status: text("status"),
    pageToken: text("pageToken"),
    statusTimestampAfter: text("statusTimestampAfter"),
    pageSize: numberIn(query, "pageSize"),
    historyLength: numberIn(query, "historyLength"),
    includeArtifacts: query.get("includeArtifacts") === "true",
  });
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw new RequestMalformedError(`${name} must be a number.`);
  return Number(text);
}

/** Unlike other fields these are there even if they are empty (3.1.4). */
function listed(response: ListTasksResponse, query: URLSearchParams): unknown {
  const encoded = ListTasksResponse.toJSON(response);
  const fields = isObject(encoded) ? encoded : {};
  const tasks = Array.isArray(fields.tasks) ? fields.tasks : [];
  return {
    ...fields,
    tasks: query.get("includeArtifacts") === "true"
      ? tasks.map((task) => ({ artifacts: [], ...task }))
      : tasks,
    nextPageToken: response.nextPageToken,
    pageSize: response.pageSize,
    totalSize: response.totalSize,
  };
}
