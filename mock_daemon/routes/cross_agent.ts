import { Hono } from "hono";
import { boolean, clamp, number, text } from "../json.ts";
import { plainKey } from "../session/sessions.ts";
import { isShownTo, type PresenceQuery } from "../session/presence.ts";
import { eventStream } from "../../connectors/base/page/event_stream.ts";
import { RateLimit, tooMany } from "../access/rate_limit.ts";
import type { MockContext, MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";
import { isFor, type Message, MESSAGE_CHARS, MESSAGE_TYPES } from "../store/messages.ts";
import { runtimePath } from "./hook.ts";

const MESSAGES_A_MINUTE = 120;

function readPresenceQuery(c: MockContext): PresenceQuery {
  return {
    agentId: c.get("call").agentId,
    sessionKey: text(c.req.query("session_key")),
    project: text(c.req.query("project")),
    includeSelf: boolean(c.req.query("include_self")) ?? false,
  };
}

/** With keys, a session named in a request must be a running session of the caller's agent. */
function sessionError(c: MockContext, state: State, name: string, mustExist: boolean, key?: string) {
  const { principal, agentId } = c.get("call");
  if (key === undefined || principal.trusted) return undefined;
  const session = state.presence.forSession(key);
  if (session === undefined) return mustExist ? `${name} is not an active session` : undefined;
  return session.agentId === agentId ? undefined : `${name} belongs to a different agent`;
}

/** Presence of and messages between agents. */
export function crossAgent(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  const limit = new RateLimit(state.clock, MESSAGES_A_MINUTE);

  const refuseSession = (c: MockContext, name: string, mustExist: boolean, key?: string) => {
    const error = sessionError(c, state, name, mustExist, key);
    return error === undefined ? undefined : c.json({ error }, 403);
  };
  const presenceFor = (query: PresenceQuery, count: number) =>
    state.presence.list().filter((entry) => isShownTo(query, entry)).slice(0, count);
  const inbox = (c: MockContext, options: { since?: string; broadcasts: boolean; count: number }) => {
    const { agentId } = c.get("call");
    const reader = {
      agentId,
      sessionKey: text(c.req.query("session_key")),
      broadcasts: options.broadcasts,
    };
    const sent = boolean(c.req.query("include_sent")) ?? false;
    return state.messages.all()
      .filter((message) => isFor(message, reader) || (sent && message.fromAgentId === agentId))
      // `since` is inclusive.
      .filter(({ createdAt }) => options.since === undefined || createdAt >= options.since)
      .slice(0, options.count);
  };

  app.get("/api/cross-agent/presence", (c) => {
    const query = readPresenceQuery(c);
    const refused = refuseSession(c, "session_key", true, query.sessionKey);
    if (refused !== undefined) return refused;
    const sessions = presenceFor(query, clamp(number(c.req.query("limit")) ?? 50, 1, 500));
    return c.json({ sessions, count: sessions.length });
  });

  app.post("/api/cross-agent/presence", (c) => {
    const { body, agentId } = c.get("call");
    if (body === undefined) return c.json({ error: "invalid request body" }, 400);
    const harness = text(body.harness);
    if (harness === undefined) return c.json({ error: "harness is required" }, 400);
    const sessionKey = text(body.sessionKey);
    const refused = refuseSession(c, "sessionKey", false, sessionKey);
    if (refused !== undefined) return refused;
    const presence = state.presence.record({
      sessionKey,
      agentId,
      harness,
      project: text(body.project),
      runtimePath: runtimePath(c, body),
      provider: text(body.provider) ?? harness,
    });
    return c.json({ presence });
  });

  app.delete("/api/cross-agent/presence/:sessionKey", (c) => {
    const key = c.req.param("sessionKey");
    return refuseSession(c, "sessionKey", false, key) ?? c.json({ removed: state.presence.remove(key) });
  });

  app.get("/api/cross-agent/messages", (c) => {
    const refused = refuseSession(c, "session_key", true, text(c.req.query("session_key")));
    if (refused !== undefined) return refused;
    const items = inbox(c, {
      since: text(c.req.query("since")),
      broadcasts: boolean(c.req.query("include_broadcast")) ?? true,
      count: clamp(number(c.req.query("limit")) ?? 100, 1, 500),
    });
    return c.json({ items, count: items.length });
  });

  app.post("/api/cross-agent/messages", (c) => {
    const { body, agentId, principal } = c.get("call");
    const until = principal.key === undefined ? undefined : limit.count(principal.key.sub);
    if (until !== undefined) return tooMany(c, state, until);
    if (body === undefined) return c.json({ error: "invalid request body" }, 400);
    const content = text(body.content)?.trim();
    if (content === undefined) return c.json({ error: "content is required" }, 400);
    if (content.length > MESSAGE_CHARS) {
      return c.json({ error: `content too large (max ${MESSAGE_CHARS} chars)` }, 400);
    }
    const wanted = text(body.type) ?? "info";
    const type = MESSAGE_TYPES.find((known) => known === wanted);
    if (type === undefined) return c.json({ error: `unsupported message type '${wanted}'` }, 400);
    const fromSessionKey = text(body.fromSessionKey);
    const refused = refuseSession(c, "fromSessionKey", true, fromSessionKey);
    if (refused !== undefined) return refused;
    const toAgentId = text(body.toAgentId);
    const toSessionKey = text(body.toSessionKey);
    const broadcast = boolean(body.broadcast) ?? false;
    if (!broadcast && toAgentId === undefined && toSessionKey === undefined) {
      return c.json({ error: "local target required (toAgentId, toSessionKey, or broadcast=true)" }, 400);
    }
    const owner = toSessionKey === undefined ? undefined : state.presence.forSession(plainKey(toSessionKey));
    const message: Message = {
      id: crypto.randomUUID(),
      createdAt: new Date(state.clock()).toISOString(),
      fromAgentId: agentId,
      fromSessionKey,
      toAgentId,
      toSessionKey,
      toSessionAgentId: toSessionKey === undefined ? undefined : toAgentId ?? owner?.agentId,
      content,
      type,
      broadcast,
      deliveryPath: "local",
      deliveryStatus: "delivered",
    };
    state.messages.add(message);
    return c.json({ message });
  });

  app.get("/api/cross-agent/stream", (c) => {
    const call = c.get("call");
    const query = readPresenceQuery(c);
    const { agentId, sessionKey, project } = query;
    const refused = refuseSession(c, "session_key", true, sessionKey);
    if (refused !== undefined) return refused;
    call.streamed = true;
    const timestamp = () => new Date(state.clock()).toISOString();
    return eventStream(state.closing.signal, (send) => {
      send({ type: "connected", agentId, sessionKey, project, timestamp: timestamp() });
      send({
        type: "snapshot",
        presence: presenceFor(query, 50),
        messages: inbox(c, { broadcasts: true, count: 20 }),
        timestamp: timestamp(),
      });
      const sent = boolean(c.req.query("include_sent")) ?? false;
      const endMessages = state.messages.listen((message) => {
        const visible = isFor(message, { agentId, sessionKey, broadcasts: true });
        if (!visible && !(sent && message.fromAgentId === agentId)) return;
        send({ type: "message", message, timestamp: timestamp() });
      });
      const endPresence = state.presence.listen((event) => {
        if (isShownTo(query, event.presence)) send(event);
      });
      return () => {
        endMessages();
        endPresence();
      };
    });
  });

  return app;
}
