import { createMiddleware } from "hono/factory";
import { text } from "../json.ts";
import type { Fault } from "./faults.ts";
import type { Call, MockContext, MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";
import { agentsNamed } from "../access/scope.ts";
import { isOwn } from "../record/record.ts";

/** Resolves after `ms`, or as soon as the client or the daemon goes away. */
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

/** Deno.serve closes the socket at once when a body fails before its first byte: no status line leaves. */
function broken(): Response {
  return new Response(
    new ReadableStream({ pull: (controller) => controller.error(new Error("scripted reset")) }),
    { headers: { "content-length": "1" } },
  );
}

function answered(fault: Fault): Response | undefined {
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

function pieces(bytes: Uint8Array, fault: Fault, stop: AbortSignal): ReadableStream<Uint8Array> {
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

/** The first bytes, then a failure: the client was promised more. */
function cutShort(bytes: Uint8Array, keep: number): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    async pull(controller) {
      if (!sent && keep > 0) {
        sent = true;
        return controller.enqueue(bytes.slice(0, keep));
      }
      // The bytes must have left before the failure discards what is queued.
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.error(new Error("scripted truncation"));
    },
  });
}

async function reshaped(c: MockContext, call: Call, fault: Fault, stop: AbortSignal): Promise<void> {
  const bytes = new Uint8Array(await c.res.arrayBuffer());
  const headers = new Headers(c.res.headers);
  headers.set("content-length", String(bytes.length));
  const { status } = c.res;
  call.streamed = true;
  call.outcome = fault.kind;
  const body = fault.truncate === undefined
    ? pieces(bytes, fault, stop)
    : cutShort(bytes, Math.min(fault.truncate, bytes.length - 1));
  c.res = undefined;
  c.res = new Response(body, { status, headers });
}

/** Makes the daemon misbehave as a script asked. */
export function misbehave(state: State) {
  return createMiddleware<MockEnv>(async (c, next) => {
    if (isOwn(c.req.path)) return await next();
    const call = c.get("call");
    const fault = state.faults.take({
      path: c.req.path,
      agent: agentsNamed(c)[0] ?? "default",
      harness: text(call.body?.harness) ?? c.req.header("x-signet-harness"),
    });
    if (fault === undefined) return await next();
    call.fault = fault;
    const stop = AbortSignal.any([state.closing.signal, c.req.raw.signal]);
    if (fault.delay !== undefined) await pause(fault.delay, stop);
    const gone = fault.hang ?? fault.reset;
    if (gone === "after") await next();
    if (gone !== undefined) {
      call.streamed = true;
      call.outcome = fault.kind;
      if (fault.hang !== undefined) await pause(Infinity, stop);
      c.res = undefined;
      c.res = broken();
      return;
    }
    const scripted = answered(fault);
    if (scripted !== undefined) return scripted;
    await next();
    if (fault.drip !== undefined || fault.truncate !== undefined) await reshaped(c, call, fault, stop);
  });
}
