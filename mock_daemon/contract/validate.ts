import { createMiddleware } from "hono/factory";
import { ENVELOPE, type Fields, REQUEST_FIELDS } from "./request_fields.ts";
import { type JsonObject, text } from "../json.ts";
import type { MockContext, MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";

const SESSION_HOOK =
  /^\/api\/hooks\/(session-(start|end|checkpoint-extract)|user-prompt-submit|(pre-)?compaction(-complete)?)$/;

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function fieldWarnings(body: JsonObject, fields: Fields, path: string): string[] {
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (ENVELOPE.has(name)) continue;
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (known !== undefined) {
      const checked = known.safeParse(value);
      if (!checked.success) {
        warnings.push(`${name}: ${checked.error.issues[0]?.message ?? "has the wrong type"}`);
      }
    } else if (camel(name) !== name && Object.hasOwn(fields, camel(name))) {
      warnings.push(`${name} is ignored; send ${camel(name)}`);
    } else if (name === "project" && path.endsWith("/session-end")) {
      warnings.push("project is ignored on session-end; send cwd");
    } else if (name === "type" && path.endsWith("/remember")) {
      warnings.push("type is ignored; the daemon infers it");
    } else warnings.push(`${name} is ignored; unknown field`);
  }
  return warnings;
}

function runtimePathWarnings(c: MockContext, body: JsonObject): string[] {
  const header = c.req.header("x-signet-runtime-path");
  const given = header ?? text(body.runtimePath);
  if (given === undefined) return ["runtimePath is missing in header and body: the session is not claimed"];
  if (given !== "plugin" && given !== "legacy") {
    return [`runtime path "${given}" is ignored; send plugin or legacy`];
  }
  if (header !== undefined && text(body.runtimePath) !== undefined && body.runtimePath !== header) {
    return [`runtimePath "${body.runtimePath}" is ignored; the header says ${header}`];
  }
  return [];
}

/** Warns about input that a real daemon would silently ignore. */
function warningsFor(c: MockContext, body: JsonObject): string[] {
  const { path, method } = c.req;
  const fields = REQUEST_FIELDS.find(([verb, pattern]) => verb === method && pattern.test(path))?.[2];
  if (fields === undefined) return [];
  const warnings = fieldWarnings(body, fields, path);
  if (SESSION_HOOK.test(path)) {
    warnings.push(...runtimePathWarnings(c, body));
    if (text(body.sessionKey) === undefined && text(body.sessionId) === undefined) {
      warnings.push("sessionKey is missing: the session is not claimed");
    }
  }
  return warnings;
}

export function validate(state: State) {
  return createMiddleware<MockEnv>(async (c, next) => {
    const call = c.get("call");
    if (call.body !== undefined) call.warnings.push(...warningsFor(c, call.body));
    if (state.options.strict && call.warnings.length > 0) {
      return c.json({ error: `strict: ${call.warnings[0]}`, warnings: call.warnings }, 422);
    }
    return await next();
  });
}
