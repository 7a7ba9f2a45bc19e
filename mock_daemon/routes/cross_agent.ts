import { Hono } from "hono";
import { boolean, clamp, number, text } from "../json.ts";
import { plainKey } from "../session/sessions.ts";
import { eventStream } from "../http/event_stream.ts";
import { boundAgent } from "../access/principal.ts";
import type { MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";
import { isFor, type Message, MESSAGE_CHARS, MESSAGE_TYPES } from "../store/messages.ts";
import { runtimePath } from "./hook.ts";

/** Presence of and messages between agents. */
export function crossAgent(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();

  app.get("/api/cross-agent/presence", (c) => {
    const self = boolean(c.req.query("include_self")) ?? false;
    const { agentId } = c.get("call");
    const key = text(c.req.query("session_key"));
    const project = text(c.req.query("project"));
    const sessions = state.sessions.present()
      .filter((session) =>
        self || session.agentId !== agentId || (key !== undefined && session.sessionKey !== key)
      )
      .filter((session) => project === undefined || session.project === project)
      .slice(0, clamp(number(c.req.query("limit")) ?? 50, 1, 500));
    return c.json({ sessions, count: sessions.length });
  });

  app.post("/api/cross-agent/presence", (c) => {
    const { body, agentId } = c.get("call");
    if (body === undefined) return c.json({ error: "invalid request body" }, 400);
    const harness = text(body.harness);
    if (harness === undefined) return c.json({ error: "harness is required" }, 400);
    const presence = state.sessions.recordPresence({
      sessionKey: text(body.sessionKey) ?? null,
      agentId,
      harness,
      project: text(body.project) ?? null,
      runtimePath: runtimePath(c, body) ?? null,
    });
    return c.json({ presence });
  });

  app.delete("/api/cross-agent/presence/:sessionKey", (c) => {
    const bound = boundAgent(c.get("call").principal);
    return c.json({ removed: state.sessions.leave(bound, c.req.param("sessionKey")) });
  });

  app.get("/api/cross-agent/messages", (c) => {
    const { agentId } = c.get("call");
    const key = text(c.req.query("session_key"));
    const since = text(c.req.query("since"));
    const sent = boolean(c.req.query("include_sent")) ?? false;
    const broadcasts = boolean(c.req.query("include_broadcast")) ?? true;
    const items = state.messages.all()
      .filter((message) =>
        isFor(message, agentId, key, broadcasts) || (sent && message.fromAgentId === agentId)
      )
      .filter((message) => since === undefined || message.createdAt > since)
      .slice(0, clamp(number(c.req.query("limit")) ?? 100, 1, 500));
    return c.json({ items, count: items.length });
  });

  app.post("/api/cross-agent/messages", (c) => {
    const { body, agentId } = c.get("call");
    if (body === undefined) return c.json({ error: "invalid request body" }, 400);
    const content = text(body.content);
    if (content === undefined) return c.json({ error: "content is required" }, 400);
    if (content.length > MESSAGE_CHARS) {
      return c.json({ error: `content too large (max ${MESSAGE_CHARS} chars)` }, 400);
    }
    const type = body.type === undefined ? "info" : MESSAGE_TYPES.find((known) => known === body.type);
    if (type === undefined) return c.json({ error: `unsupported message type '${body.type}'` }, 400);
    const toAgentId = text(body.toAgentId) ?? null;
    const toSessionKey = text(body.toSessionKey) ?? null;
    const broadcast = boolean(body.broadcast) ?? false;
    if (!broadcast && toAgentId === null && toSessionKey === null) {
      return c.json({ error: "local target required (toAgentId, toSessionKey, or broadcast=true)" }, 400);
    }
    const fromSessionKey = text(body.fromSessionKey);
    const message: Message = {
      id: crypto.randomUUID(),
      createdAt: new Date(state.clock()).toISOString(),
      fromAgentId: agentId,
      fromSessionKey: fromSessionKey === undefined ? null : plainKey(fromSessionKey),
      toAgentId,
      toSessionKey,
      content,
      type,
      broadcast,
      deliveryPath: "local",
      deliveryStatus: "delivered",
    };
    state.messages.add(message);
    return c.json({ message }, 201);
  });

  app.get("/api/cross-agent/stream", (c) => {
    const call = c.get("call");
    call.streamed = true;
    const key = text(c.req.query("session_key"));
    return eventStream(
      state.closing.signal,
      (send) =>
        state.messages.listen((message) => {
          if (isFor(message, call.agentId, key, true)) send({ type: "message", message });
        }),
    );
  });

  return app;
}
