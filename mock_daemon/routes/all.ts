import type { Hono, MiddlewareHandler } from "hono";
import type { MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";
import { agents } from "./agents.ts";
import { auth } from "./auth.ts";
import { crossAgent } from "./cross_agent.ts";
import { harnesses } from "./harnesses.ts";
import { health } from "./health.ts";
import { compactionHooks } from "./hooks_compaction.ts";
import { memoryHooks } from "./hooks_memory.ts";
import { sessionHooks } from "./hooks_session.ts";
import { inspector } from "./inspector.ts";
import { knowledge } from "./knowledge.ts";
import { memory } from "./memory.ts";
import { mock } from "./mock.ts";
import { sessions } from "./sessions.ts";

const GROUPS = [
  health,
  sessionHooks,
  compactionHooks,
  memoryHooks,
  memory,
  sessions,
  agents,
  harnesses,
  crossAgent,
  knowledge,
  auth,
];

/** Adds all routes. The inspector and `/__mock` bypass the checks; everything else passes through them. */
export function routes(
  app: Hono<MockEnv>,
  state: State,
  checks: readonly MiddlewareHandler<MockEnv>[],
): void {
  app.route("/", inspector());
  app.route("/", mock(state));
  for (const check of checks) app.use(check);
  for (const group of GROUPS) app.route("/", group(state));
}
