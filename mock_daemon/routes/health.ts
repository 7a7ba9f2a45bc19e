import { Hono } from "hono";
import type { MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";

export function health(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();
  const uptime = () => Math.max(0, (state.clock() - state.startedAt) / 1000);
  const shared = () => ({
    uptime: uptime(),
    pid: Deno.pid,
    version: state.profile.version,
    port: state.address.port,
    agentsDir: state.options.workspace ?? "",
  });
  const added = (fields: Record<string, unknown>) => state.profile.fullHealth ? fields : {};
  const pipeline = { enabled: true, mode: "mock" };

  app.get("/health", (c) =>
    c.json({
      status: "healthy",
      ...shared(),
      db: true,
      updateAvailable: false,
      pendingRestart: false,
      ...added({
        shuttingDown: state.closing.signal.aborted,
        pipeline,
        resources: { memory: Deno.memoryUsage().rss },
      }),
      // A real daemon has no such field.
      mock: true,
    }));

  app.get("/api/status", (c) =>
    c.json({
      status: "running",
      ...shared(),
      startedAt: new Date(state.startedAt).toISOString(),
      host: state.address.host,
      bindHost: state.address.host,
      memoryDb: state.options.db ?? ":memory:",
      pipelineV2: { enabled: true },
      providerResolution: {},
      logging: { logDir: "" },
      activeSessions: state.sessions.list().length,
      bypassedSessions: state.sessions.bypassedCount,
      agentCreatedAt: new Date(state.startedAt).toISOString(),
      update: { available: false },
      embedding: { provider: "none", available: false },
      ...added({
        networkMode: "localhost",
        agentId: c.get("call").agentId,
        pipeline,
        transcripts: { count: state.store.sql("SELECT count(*) AS n FROM transcripts").get()?.n ?? 0 },
      }),
    }));

  return app;
}
