import { assertEquals, assertStringIncludes } from "@std/assert";
import { handleOf } from "../../hooks/agents/sessions/handle.ts";
import { AgentSessions } from "../../hooks/agents/sessions/session.ts";
import { MeshHome, shownIds, TOOL } from "../worlds/agents/mesh_home.ts";

const SUBAGENT_EVENTS = {
  "pre-tool": { native: "PreToolUse", timeoutMs: 120_000 },
  "post-tool": { native: "PostToolUse", timeoutMs: 120_000 },
  "subagent-start": { native: "SubagentStart", timeoutMs: 120_000 },
  "subagent-end": { native: "SubagentStop", timeoutMs: 120_000 },
  "turn-end": { native: "Stop", timeoutMs: 120_000 },
  waiting: { native: "PermissionRequest", timeoutMs: 120_000 },
};

Deno.test("a sub-agent's tool calls take none of the messages of its parent", async () => {
  await using mesh = await MeshHome.begun();
  mesh.send("for the parent", { priority: 5 });
  for (const event of ["pre-tool", "post-tool"]) {
    assertEquals((await mesh.hook(event, { ...TOOL, agent_id: "a1" })).stdout, "");
  }
  assertEquals(mesh.inbox.count(mesh.id).waiting, 1);
});

Deno.test("a sub-agent whose calls have no mark, as in Kimi Code, takes no message and ends no turn", async () => {
  const agents = {
    events: SUBAGENT_EVENTS,
    deafAfterTool: true,
    contextBeforeTool: false,
    goOn: "permission",
  };
  await using mesh = await MeshHome.begun(undefined, { agents });
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  mesh.send("for the agent", { priority: 5 });
  await mesh.hook("subagent-start");
  for (const event of ["pre-tool", "post-tool", "turn-end"]) {
    assertEquals((await mesh.hook(event, TOOL)).stdout, "", event);
  }
  assertEquals(mesh.session?.status, "working");
  await mesh.hook("subagent-end");
  assertEquals((await mesh.hook("post-tool", TOOL)).stdout, "", "nobody reads this");
  const { hookSpecificOutput: answer } = JSON.parse((await mesh.hook("turn-end")).stdout);
  assertEquals([answer.hookEventName, answer.permissionDecision], ["Stop", "deny"]);
  assertStringIncludes(answer.permissionDecisionReason, "for the agent");
  // Interrupted: it has no end.
  await mesh.hook("subagent-start");
  await mesh.hook("user-prompt-submit", { prompt: "go on" });
  mesh.send("and more");
  assertStringIncludes((await mesh.hook("turn-end")).stdout, "and more");
});

Deno.test("Copilot CLI's names and answers: the sub-agent has a session, which is not in the mesh", async () => {
  const profile = {
    startsWithPrompt: true,
    agents: { topLevel: true, subagentsHaveSessions: true },
  };
  await using mesh = await MeshHome.make(undefined, profile);
  const of = (more: object) => ({ session_id: undefined, sessionId: mesh.id.key, ...more });
  const child = { sessionId: "c1", agentId: "c1", parentAgentId: mesh.id.key };
  assertEquals((await mesh.hook("session-start", of({ source: "new" }))).stdout, "");
  const introduced = await mesh.hook("user-prompt-submit", of({ prompt: "go" }));
  assertStringIncludes(introduced.stdout, `You are ${handleOf(mesh.id)} `);
  assertEquals((await mesh.hook("user-prompt-submit", of({ prompt: "do it", ...child }))).stdout, "");
  assertEquals(new AgentSessions(mesh.dir).list().map(({ key }) => key), [mesh.id.key]);
  const { id } = mesh.send("look", { priority: 4 });
  const tool = { toolName: "Edit", toolArgs: { file_path: "/home/u/app/a.ts" } };
  for (const event of ["pre-tool", "post-tool", "turn-end"]) {
    assertEquals((await mesh.hook(event, of({ ...tool, ...child }))).stdout, "", event);
  }
  assertEquals([mesh.session?.status, mesh.session?.file], ["working", undefined]);
  const shown = JSON.parse((await mesh.hook("post-tool", of(tool))).stdout);
  assertEquals([Object.keys(shown), shownIds(shown.additionalContext)], [["additionalContext"], [id]]);
  await mesh.hook("waiting", of({ notification_type: "shell_completed" }));
  assertEquals(mesh.session?.status, "working");
  await mesh.hook("waiting", of({ notification_type: "permission_prompt" }));
  assertEquals(mesh.session?.status, "waiting");
});
