import { createMiddleware } from "hono/factory";
import { isObject, text } from "../json.ts";
import { redactHeaders, redactJson, redactText } from "./redact.ts";
import { namedAgents } from "../access/scope.ts";
import type { Call, MockContext, MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";

async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  if (request.body === null) return "";
  const decoder = new TextDecoder();
  let body = "";
  let bytes = 0;
  for await (const chunk of request.body) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    body += decoder.decode(chunk, { stream: true });
  }
  return body + decoder.decode();
}

function parse(body: string): Pick<Call, "body" | "malformed"> & { json: unknown } {
  try {
    const json: unknown = JSON.parse(body);
    return { json, body: isObject(json) ? json : undefined, malformed: false };
  } catch {
    return { json: body, body: undefined, malformed: true };
  }
}

/** Reports whether a path belongs to the mock itself: the inspector and `/__mock`. */
export function isMockPath(path: string): boolean {
  return path === "/" || path === "/favicon.ico" || path.startsWith("/__mock/");
}

/** Reads the body once, and records the request and its response. */
export function record(state: State) {
  return createMiddleware<MockEnv>(async (c, next) => {
    const started = performance.now();
    const at = new Date(state.clock()).toISOString();
    const read = await readBody(c.req.raw, state.profile.maxBodyBytes);
    const content = read ?? "";
    const parsed = parse(content);
    const call: Call = {
      text: content,
      body: parsed.body,
      malformed: parsed.malformed,
      principal: { trusted: false },
      agentId: "default",
      namedAgent: "default",
      warnings: [],
    };
    c.set("call", call);
    call.agentId = namedAgents(c)[0] ?? "default";
    if (read === undefined) c.res = c.json({ error: "payload too large" }, 413);
    else await next();
    if (isMockPath(c.req.path)) return;
    const secrets = [c.req.header("authorization")?.replace(/^Bearer /i, "").trim() ?? ""];
    state.recorder.add({
      at,
      method: c.req.method,
      path: redactText(c.req.path, secrets),
      query: Object.fromEntries(
        Object.entries(c.req.query()).map(([name, value]) => [name, redactText(value, secrets)]),
      ),
      event: /^\/api\/hooks\/([a-z-]+)$/.exec(c.req.path)?.[1],
      harness: redactOr(text(call.body?.harness) ?? c.req.header("x-signet-harness"), secrets),
      agent: redactText(call.agentId, secrets),
      sessionKey: redactOr(text(call.body?.sessionKey) ?? text(call.body?.sessionId), secrets),
      headers: redactHeaders(c.req.raw.headers, secrets),
      body: content === "" ? undefined : redactJson(parsed.json, secrets),
      bodyBytes: read?.length ?? Number(c.req.header("content-length") ?? state.profile.maxBodyBytes),
      ...(read === undefined ? { truncated: true } : {}),
      ...await answer(c, call, secrets),
      ms: Math.round((performance.now() - started) * 10) / 10,
      warnings: call.warnings.map((warning) => redactText(warning, secrets)),
      fault: call.fault?.kind,
      replayOf: replayOf(c),
    });
  });
}

/** The request that this one repeats, if the inspector sent it. */
function replayOf(c: MockContext): number | undefined {
  const id = c.req.header("x-signet-mock-replay") ?? "";
  return /^[0-9]{1,15}$/.test(id) ? Number(id) : undefined;
}

function redactOr(value: string | undefined, secrets: readonly string[]): string | undefined {
  return value === undefined ? undefined : redactText(value, secrets);
}

async function answer(c: MockContext, call: Call, secrets: readonly string[]) {
  if (call.streamed) return { status: c.res.status, outcome: call.outcome ?? "stream", answer: undefined };
  const body = parse(await c.res.clone().text()).json;
  return {
    status: c.res.status,
    outcome: outcome(c.res.status, call, body),
    answer: redactJson(body, secrets),
  };
}

function outcome(status: number, call: Call, body: unknown): string {
  if (call.outcome !== undefined) return call.outcome;
  if (status === 401 || status === 403) return "refused";
  if (status >= 400) return status === 409 ? "conflict" : "error";
  if (!isObject(body)) return "ok";
  if (body.bypassed === true) return "bypassed";
  if (body.skipped === true) return "skipped";
  return body.deduped === true ? "deduped" : "ok";
}
