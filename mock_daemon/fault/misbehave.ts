import { createMiddleware } from "hono/factory";
import { text } from "../json.ts";
import type { Fault } from "./faults.ts";
import type { Call, MockContext, MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";
import { namedAgents } from "../access/scope.ts";
import { isMockPath } from "../record/record.ts";

/** Resolves after `ms`, or when one of the signals aborts. */
function pause(ms: number, ...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const all = AbortSignal.any(signals);
    if (all.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      all.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1));
    all.addEventListener("abort", done);
  });
}

/** Deno.serve closes the socket without a status line when a body fails before its first byte. */
function resetResponse(): Response {
  return new Response(
    new ReadableStream({ pull: (controller) => controller.error(new Error("scripted reset")) }),
    { headers: { "content-length": "1" } },
  );
}

function scriptedResponse(fault: Fault): Response | undefined {
  const headers = new Headers(fault.headers);
  if (fault.redirect !== undefined) {
    headers.set("location", fault.redirect);
    return new Response(null, { status: fault.status ?? 307, headers });
  }
  if (fault.status === undefined && fault.body === undefined) return undefined;
  const body = fault.body ?? { error: "scripted fault" };
  const plain = typeof body === "string" ? body : JSON.stringify(body);
  if (!headers.has("content-type")) {
    headers.set("content-type", typeof body === "string" ? "text/plain; charset=UTF-8" : "application/json");
  }
  const status = fault.status ?? 200;
  return new Response([204, 205, 304].includes(status) ? null : plain, { status, headers });
}

function dripBody(bytes: Uint8Array, fault: Fault, stop: AbortSignal): ReadableStream<Uint8Array> {
  const size = fault.drip?.bytes ?? bytes.length;
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at > 0) await pause(fault.drip?.every ?? 0, stop);
      if (stop.aborted || at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

/** Sends the first bytes, then fails, although content-length promised more. */
function truncatedBody(bytes: Uint8Array, keep: number): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    async pull(controller) {
      if (!sent && keep > 0) {
        sent = true;
        return controller.enqueue(bytes.slice(0, keep));
      }
      // Let the bytes leave first: an error discards whatever is still queued.
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.error(new Error("scripted truncation"));
    },
  });
}

async function rewriteBody(c: MockContext, call: Call, fault: Fault, stop: AbortSignal): Promise<void> {
  const bytes = new Uint8Array(await c.res.arrayBuffer());
  const headers = new Headers(c.res.headers);
  headers.set("content-length", String(bytes.length));
  const { status } = c.res;
  call.streamed = true;
  call.outcome = fault.kind;
  const body = fault.truncate === undefined
    ? dripBody(bytes, fault, stop)
    : truncatedBody(bytes, Math.min(fault.truncate, bytes.length - 1));
  c.res = undefined;
  c.res = new Response(body, { status, headers });
}

/** Applies scripted faults. */
export function misbehave(state: State) {
  return createMiddleware<MockEnv>(async (c, next) => {
    if (isMockPath(c.req.path)) return await next();
    const call = c.get("call");
    const fault = state.faults.take({
      path: c.req.path,
      agent: namedAgents(c)[0] ?? "default",
      harness: text(call.body?.harness) ?? c.req.header("x-signet-harness"),
    });
    if (fault === undefined) return await next();
    call.fault = fault;
    const stop = AbortSignal.any([state.closing.signal, c.req.raw.signal]);
    if (fault.delay !== undefined) await pause(fault.delay, stop);
    const when = fault.hang ?? fault.reset;
    if (when === "after") await next();
    if (when !== undefined) {
      call.streamed = true;
      call.outcome = fault.kind;
      if (fault.hang !== undefined) await pause(Infinity, stop);
      c.res = undefined;
      c.res = resetResponse();
      return;
    }
    const scripted = scriptedResponse(fault);
    if (scripted !== undefined) return scripted;
    await next();
    if (fault.drip !== undefined || fault.truncate !== undefined) await rewriteBody(c, call, fault, stop);
  });
}
