import { Hono } from "hono";
import { boolean, text } from "../json.ts";
import { boundAgent } from "../access/principal.ts";
import type { MockEnv } from "../http/call.ts";
import type { State } from "../state.ts";
import { READ_POLICIES } from "../store/agents.ts";

/** Letters, digits, `._-/`; no `..` and no empty part, because an id becomes part of a path. */
function isAgentId(id: string): boolean {
  return /^[\w.\-/]{1,128}$/.test(id) &&
    !id.split("/").some((part) => part === "" || part === "." || part === "..");
}

export function agents(state: State): Hono<MockEnv> {
  const app = new Hono<MockEnv>();

  app.get("/api/agents", (c) => {
    const bound = boundAgent(c.get("call").principal);
    return c.json({
      agents: state.agents.list().filter(({ id }) =>
        bound === undefined || id === bound || !state.profile.access.ownMemoriesOnly
      ),
    });
  });

  app.get("/api/agents/:name{.+}", (c) => {
    const agent = state.agents.get(c.req.param("name"));
    return agent === undefined ? c.json({ error: "Agent not found" }, 404) : c.json(agent);
  });

  app.post("/api/agents", (c) => {
    const { body } = c.get("call");
    const name = text(body?.name)?.trim();
    if (name === undefined) return c.json({ error: "name is required" }, 400);
    if (!isAgentId(name)) return c.json({ error: "name must be letters, digits and . _ - /" }, 400);
    const policy = text(body?.read_policy) ?? "isolated";
    const known = READ_POLICIES.find((name) => name === policy);
    if (known === undefined) {
      return c.json({ error: `read_policy must be one of: ${READ_POLICIES.join(", ")}` }, 400);
    }
    if (state.profile.access.failsOnKnownAgent && state.agents.get(name) !== undefined) {
      return c.text("Internal Server Error", 500);
    }
    return c.json(state.agents.add(name, known, text(body?.policy_group) ?? null), 201);
  });

  app.delete("/api/agents/:name{.+}", (c) => {
    const name = c.req.param("name");
    if (name === "default") return c.json({ error: "Cannot remove the default agent" }, 400);
    const purged = boolean(c.req.query("purge")) ?? false;
    const removed = state.agents.remove(name, purged);
    return removed ? c.json({ success: true, purged }) : c.json({ error: "Agent not found" }, 404);
  });

  return app;
}
