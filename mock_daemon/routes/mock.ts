import { Hono } from "hono";
import { SCRIPT } from "../fault/faults.ts";
import { boolean, clamp, number, text } from "../json.ts";
import { loopbackOnly } from "../access/loopback_only.ts";
import { matches, type Recorded, type RequestFilter, summarize } from "../record/recorder.ts";
import { eventStream } from "../../connectors/base/page/event_stream.ts";
import { type MockContext, type MockEnv } from "../http/call.ts";
import { plainKey } from "../session/sessions.ts";
import type { State } from "../state.ts";

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

/** `/__mock`: inspects the daemon and injects faults. */
export function mock(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  app.use("/__mock/*", loopbackOnly);

  app.get("/__mock/requests", (c) => {
    const after = number(c.req.query("cursor")) ?? 0;
    const requests = state.recorder.list(
      readFilter(c),
      after,
      clamp(number(c.req.query("limit")) ?? 500, 1, 5000),
    );
    // A full page may not be the last one, so the cursor is its last id.
    const cursor = requests.at(-1)?.id ?? Math.max(after, state.recorder.cursor);
    const shown = c.req.query("brief") === undefined ? requests : requests.map(summarize);
    return c.json({ requests: shown, cursor, oldest: state.recorder.oldest });
  });

  app.get("/__mock/requests/:id{[0-9]+}", (c) => {
    const request = state.recorder.get(Number(c.req.param("id")));
    if (request === undefined) return c.json({ error: "The request is no longer in memory." }, 404);
    return c.json({ request });
  });

  app.delete("/__mock/requests", (c) => {
    state.recorder.clear();
    return c.json({ cleared: true, cursor: state.recorder.cursor });
  });

  app.get("/__mock/events", (c) => {
    const filter = readFilter(c);
    const after = number(c.req.header("last-event-id") ?? c.req.query("cursor")) ?? state.recorder.cursor;
    const show = c.req.query("brief") === undefined ? (entry: Recorded) => entry : summarize;
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
    return c.json(state.memories.searchAll(query, clamp(number(c.req.query("limit")) ?? 100, 1, 1000)));
  });

  app.get("/__mock/transcripts", (c) =>
    c.json({
      transcripts: state.store.sql("SELECT * FROM transcripts ORDER BY rowid DESC LIMIT 100").all(),
    }));

  app.get("/__mock/kept", (c) => {
    const session = text(c.req.query("session"));
    if (session === undefined) return c.json({ error: "session is required" }, 400);
    return c.json({ session, ...state.kept.session(plainKey(session)) });
  });

  app.get("/__mock/matrix", (c) =>
    c.json({
      matrix: state.options.matrix?.map(({ id, displayName, fidelity }) => ({ id, displayName, fidelity })) ??
        null,
    }));

  app.get("/__mock/info", (c) =>
    c.json({
      profile: state.profile.name,
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
