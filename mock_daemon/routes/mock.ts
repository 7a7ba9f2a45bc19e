import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { SCRIPT } from "../fault/faults.ts";
import { boolean, clamp, number, text } from "../json.ts";
import { isLoopback, isLoopbackHost } from "../http/loopback.ts";
import { brief, matches, type Recorded, type RequestFilter } from "../record/recorder.ts";
import { eventStream } from "../http/event_stream.ts";
import { type MockContext, type MockEnv, peerOf } from "../http/call.ts";
import type { State } from "../state.ts";

/**
 * Only this machine may look in, and only through its own name: a web page
 * that points a name of its own at 127.0.0.1 comes with another `Host`, and
 * one that posts from elsewhere with another `Origin`.
 */
export const onlyHere = createMiddleware<MockEnv>(async (c, next) => {
  const host = c.req.header("host") ?? new URL(c.req.url).host;
  const origin = c.req.header("origin");
  const foreign = origin !== undefined && origin !== `http://${host}`;
  if (!isLoopback(peerOf(c)) || !isLoopbackHost(host) || foreign) {
    return c.json({ error: "only programs on this machine may look in" }, 403);
  }
  return await next();
});

function readFilter(c: MockContext): RequestFilter {
  return {
    agent: text(c.req.query("agent")),
    harness: text(c.req.query("harness")),
    event: text(c.req.query("event")),
    session: text(c.req.query("session")),
    path: text(c.req.query("path")),
    status: number(c.req.query("status")),
    warned: boolean(c.req.query("warned")),
  };
}

/** What the mock tells about itself, and how tests steer it. */
export function mock(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  app.use("/__mock/*", onlyHere);

  app.get("/__mock/requests", (c) => {
    const after = number(c.req.query("cursor")) ?? 0;
    const requests = state.recorder.list(
      readFilter(c),
      after,
      clamp(number(c.req.query("limit")) ?? 500, 1, 5000),
    );
    // A full page may have more behind it, so it ends where it ends.
    const cursor = requests.at(-1)?.id ?? Math.max(after, state.recorder.cursor);
    const shown = c.req.query("brief") === undefined ? requests : requests.map(brief);
    return c.json({ requests: shown, cursor, oldest: state.recorder.oldest });
  });

  app.get("/__mock/requests/:id{[0-9]+}", (c) => {
    const request = state.recorder.get(Number(c.req.param("id")));
    if (request === undefined) return c.json({ error: "This request is no longer kept." }, 404);
    return c.json({ request });
  });

  app.delete("/__mock/requests", (c) => {
    state.recorder.clear();
    return c.json({ cleared: true, cursor: state.recorder.cursor });
  });

  app.get("/__mock/events", (c) => {
    const filter = readFilter(c);
    const after = number(c.req.header("last-event-id") ?? c.req.query("cursor")) ?? state.recorder.cursor;
    const show = c.req.query("brief") === undefined ? (entry: Recorded) => entry : brief;
    return eventStream(state.closing.signal, (send) => {
      for (const entry of state.recorder.list(filter, after)) send(show(entry), entry.id);
      return state.recorder.listen((entry) => {
        if (matches(entry, filter)) send(show(entry), entry.id);
      });
    });
  });

  app.get("/__mock/sessions", (c) =>
    c.json({
      sessions: state.sessions.list().map((claim) => ({
        ...claim,
        bypassed: state.sessions.isBypassed(claim.agentId, claim.key),
      })),
    }));

  app.get("/__mock/memories", (c) => {
    const query = text(c.req.query("q"));
    return c.json(state.memories.everything(query, clamp(number(c.req.query("limit")) ?? 100, 1, 1000)));
  });

  app.get("/__mock/transcripts", (c) =>
    c.json({
      transcripts: state.store.sql("SELECT * FROM transcripts ORDER BY rowid DESC LIMIT 100").all(),
    }));

  app.get("/__mock/matrix", (c) =>
    c.json({
      matrix: state.options.matrix?.map(({ id, displayName, fidelity }) => ({ id, displayName, fidelity })) ??
        null,
    }));

  app.get("/__mock/info", (c) =>
    c.json({
      auth: state.options.auth ?? "local",
      strict: state.options.strict ?? false,
      scriptable: state.options.scriptable ?? false,
      db: state.options.db ?? null,
      startedAt: new Date(state.startedAt).toISOString(),
    }));

  app.all("/__mock/script", async (c, next) => {
    if (!state.options.scriptable) {
      return c.json({ error: "The daemon is not scriptable; start it with --scriptable." }, 403);
    }
    return await next();
  });
  app.get("/__mock/script", (c) => c.json({ scripts: state.faults.list() }));
  app.post("/__mock/script", (c) => {
    const script = SCRIPT.safeParse(c.get("call").body);
    if (script.success) return c.json(state.faults.add(script.data), 201);
    const issue = script.error.issues[0];
    return c.json({ error: `${issue?.path.join(".") || "script"}: ${issue?.message}` }, 400);
  });
  app.delete("/__mock/script", (c) => {
    state.faults.clear();
    return c.json({ cleared: true });
  });

  return app;
}
