import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { handleOf } from "../../hooks/agents/sessions/handle.ts";
import { AgentSessions } from "../../hooks/agents/sessions/session.ts";
import { NOTICE } from "../../hooks/agents/messages/wrap.ts";
import { MeshHome, PROJECT, shownIds, TOOL } from "../worlds/agents/mesh_home.ts";

Deno.test("a session without a daemon learns its handle, and gets a message after a tool call, once", async () => {
  await using mesh = await MeshHome.make();
  const start = await mesh.hook("session-start", { source: "startup" });
  assertStringIncludes(start.stdout, `You are ${handleOf(mesh.id)} `);
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  const { id } = mesh.send("please look at a.ts", { wants: "reply" });
  assertEquals(
    (await mesh.hook("pre-tool", TOOL)).stdout,
    "",
    "a normal message does not come before a tool",
  );
  assertEquals([mesh.session?.status, mesh.session?.tool, mesh.session?.file], [
    "working",
    "Edit",
    "/home/u/app/a.ts",
  ]);
  const shown = JSON.parse((await mesh.hook("post-tool", TOOL)).stdout);
  assertEquals(shown.hookSpecificOutput.hookEventName, "post-tool");
  const context: string = shown.hookSpecificOutput.additionalContext;
  assert(context.startsWith(NOTICE));
  assertEquals(shownIds(context), [id]);
  assertStringIncludes(context, "\nplease look at a.ts\n");
  for (const event of ["post-tool", "turn-end", "user-prompt-submit"]) {
    assertEquals(shownIds((await mesh.hook(event, { prompt: "more" })).stdout), [], event);
  }
});

Deno.test("the end of a turn goes on with what waits, three times in a row at most", async () => {
  await using mesh = await MeshHome.begun();
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  for (let i = 0; i < 3; i++) {
    const { id } = mesh.send(`message ${i}`, { priority: 2 });
    const { decision, reason } = JSON.parse((await mesh.hook("turn-end")).stdout);
    assertEquals([decision, shownIds(reason)], ["block", [id]]);
    assertEquals(mesh.session?.status, "working");
  }
  mesh.send("one too many");
  assertEquals((await mesh.hook("turn-end")).stdout, "");
  assertEquals(mesh.session?.status, "idle");
  assertEquals(mesh.inbox.count(mesh.id).waiting, 1, "it waits for the next prompt");
  assertStringIncludes((await mesh.hook("user-prompt-submit", { prompt: "x" })).stdout, "one too many");
});

Deno.test("a prompt hook without a prompt, as Qwen Code fires it after a tool, leaves a message to the turn's end", async () => {
  await using mesh = await MeshHome.begun();
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  const { id } = mesh.send("no hurry", { priority: 2 });
  assertEquals((await mesh.hook("user-prompt-submit", { prompt: "" })).stdout, "");
  assertEquals(shownIds(JSON.parse((await mesh.hook("turn-end")).stdout).reason), [id]);
});

Deno.test("a message of priority 5 refuses one tool call, and the next one runs", async () => {
  await using mesh = await MeshHome.begun();
  const { id } = mesh.send("stop: the build is broken", { priority: 5 });
  const { hookSpecificOutput: refused } = JSON.parse((await mesh.hook("pre-tool", TOOL)).stdout);
  assertEquals(refused.permissionDecision, "deny");
  assertEquals(shownIds(refused.permissionDecisionReason), [id]);
  assertEquals((await mesh.hook("pre-tool", TOOL)).stdout, "");
});

Deno.test("a message of priority 5 refuses nothing if its sender may not stop the agent", async () => {
  await using mesh = await MeshHome.begun();
  const strangers = [
    { from: { agentId: "somebody", cwd: "app" } },
    { from: { agentId: "work", cwd: "app" }, verified: false },
    { from: { agentId: "somebody", cwd: "elsewhere" } },
  ];
  for (const [i, change] of strangers.entries()) {
    mesh.send(`stop ${i}`, { ...change, priority: 5 });
    const { stdout } = await mesh.hook("pre-tool", TOOL);
    assertEquals(stdout.includes("deny"), false, stdout);
  }
  assertEquals(mesh.inbox.count(mesh.id), { waiting: 0, held: 1 });
});

Deno.test("an urgent message comes before a tool call without refusing it", async () => {
  await using mesh = await MeshHome.begun();
  const { id } = mesh.send("soon, please", { priority: 4 });
  const { hookSpecificOutput: output } = JSON.parse((await mesh.hook("pre-tool", TOOL)).stdout);
  assertEquals([Object.keys(output), shownIds(output.additionalContext)], [
    ["hookEventName", "additionalContext"],
    [id],
  ]);
});

Deno.test("a hook after a tool that nobody waits for leaves the status of a turn that is over", async () => {
  await using mesh = await MeshHome.begun(undefined, { agents: { deafAfterTool: true } });
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  await mesh.hook("turn-end");
  await mesh.hook("post-tool", TOOL);
  assertEquals(mesh.session?.status, "idle");
  await mesh.hook("waiting", { tool_name: "Bash" });
  await mesh.hook("post-tool", TOOL);
  assertEquals(mesh.session?.status, "working");
});

Deno.test("hooks do nothing for a session that is not in the mesh", async () => {
  await using mesh = await MeshHome.make();
  for (const event of ["pre-tool", "post-tool", "turn-end", "waiting", "wait-for-messages"]) {
    assertEquals(await mesh.hook(event, TOOL), { code: 0, stdout: "", stderr: "" });
  }
});

Deno.test("a session has a status for each event, and is gone after its end", async () => {
  await using mesh = await MeshHome.begun();
  assertEquals(mesh.session?.status, "starting");
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  assertEquals(mesh.session?.status, "working");
  await mesh.hook("waiting", { notification_type: "permission_prompt" });
  assertEquals(mesh.session?.status, "waiting");
  await mesh.hook("post-tool", TOOL);
  assertEquals(mesh.session?.status, "working");
  await mesh.hook("waiting", { notification_type: "idle_prompt" });
  assertEquals(mesh.session?.status, "idle");
  await mesh.hook("session-end", { reason: "other" });
  assertEquals(mesh.session, undefined);
});

Deno.test("the sender of a message learns that it was seen", async () => {
  await using mesh = await MeshHome.begun();
  const sender = { harness: "codex", key: "s-sender" };
  new AgentSessions(mesh.dir).begin({
    ...sender,
    agentId: "work",
    url: "",
    project: PROJECT,
    machine: "m1",
    wake: "none",
  });
  const { id } = mesh.send("look");
  await mesh.hook("post-tool", TOOL);
  const [receipt] = mesh.inbox.takeReceipts(sender);
  assertEquals([receipt?.receipt, receipt?.replyTo], ["seen", id]);
});
