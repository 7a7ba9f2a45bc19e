import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { UNCHECKED } from "../hooks/agents/locks/not_checked.ts";
import { readLines } from "../hooks/agents/locks/lock_log.ts";
import { Locks } from "../hooks/agents/locks/locks.ts";
import { readLog } from "../hooks/report.ts";
import { MeshHome } from "./worlds/mesh_home.ts";

const OTHER = { agentId: "bob", harness: "codex", session: "b0b00000", machine: "m1" };

async function begun(profile: object = {}) {
  const mesh = await MeshHome.make(undefined, profile);
  const cwd = await Deno.realPath(mesh.home.path) + "/app";
  await Deno.mkdir(cwd);
  await Deno.writeTextFile(`${cwd}/a.ts`, "a");
  await mesh.hook("session-start", { source: "startup", cwd });
  const locks = new Locks(mesh.dir);
  const edit = (path: string, input: object = {}) => ({
    cwd,
    tool_name: "Edit",
    tool_input: { file_path: path },
    ...input,
  });
  return { mesh, cwd, locks, edit, [Symbol.asyncDispose]: () => mesh[Symbol.asyncDispose]() };
}

Deno.test("a pre-tool hook refuses an edit of a locked file, also to a sub-agent, and nothing else", async () => {
  await using scene = await begun();
  const { mesh, cwd, locks, edit } = scene;
  await locks.take("a.ts", cwd, { owner: OTHER, intent: "busy" });
  for (
    const input of [edit("a.ts"), edit("a.ts", { agent_id: "sub" }), edit("a.ts", { session_id: "unseen" })]
  ) {
    const { code, stdout, stderr } = await mesh.hook("pre-tool", input);
    assertEquals([code, stderr], [0, ""]);
    const answer = JSON.parse(stdout);
    assertEquals(Object.keys(answer), ["hookSpecificOutput"]);
    const { permissionDecisionReason: reason, ...rest } = answer.hookSpecificOutput;
    assertEquals(rest, { hookEventName: "pre-tool", permissionDecision: "deny" });
    assertStringIncludes(reason, `${cwd}/a.ts is locked by codex-b0b0 (agent bob)`);
  }
  assertEquals((await mesh.hook("pre-tool", edit("b.ts"))).stdout, "");
  const read = { cwd, tool_name: "Read", tool_input: { file_path: "a.ts" } };
  assertEquals((await mesh.hook("pre-tool", read)).stdout, "");
  const off = await mesh.hook("pre-tool", edit("a.ts"), { env: { SIGNET_LOCKS: "off" } });
  assertEquals(off.stdout, "");
});

Deno.test("a session's locks are freed at its end, and automatic ones at the end of a turn", async () => {
  await using scene = await begun();
  const { mesh, cwd, locks, edit } = scene;
  const owner = { agentId: "work", harness: mesh.id.harness, session: mesh.id.key, machine: "m1" };
  await locks.take("kept.ts", cwd, { owner });
  await mesh.hook("pre-tool", edit("a.ts"), { env: { SIGNET_LOCKS: "auto" } });
  assertEquals(locks.heldBy(owner).map(({ path }) => path.slice(cwd.length)).sort(), ["/a.ts", "/kept.ts"]);
  await mesh.hook("turn-end", { cwd });
  assertEquals(locks.heldBy(owner).map(({ path }) => path.slice(cwd.length)), ["/kept.ts"]);
  await mesh.hook("session-end", { cwd, reason: "other" });
  assertEquals(locks.dir.list(), []);
});

Deno.test("a post-tool hook says what a shell command did to another session's file", async () => {
  await using scene = await begun();
  const { mesh, cwd, locks } = scene;
  await locks.take("a.ts", cwd, { owner: OTHER });
  const bash = { cwd, tool_name: "Bash", tool_input: { command: "f=a.ts; echo x > $f" }, tool_use_id: "t1" };
  assertEquals((await mesh.hook("pre-tool", bash)).stdout, "");
  await Deno.writeTextFile(`${cwd}/a.ts`, "changed");
  const { hookSpecificOutput } = JSON.parse((await mesh.hook("post-tool", bash)).stdout);
  assertStringIncludes(hookSpecificOutput.additionalContext, `${cwd}/a.ts, which codex-b0b0 has locked`);
  assertEquals(readLines(locks.logPath).at(-1)?.event, "violated");
});

Deno.test("a warning after a tool waits in the inbox where nobody reads what that hook prints", async () => {
  await using scene = await begun({ agents: { deafAfterTool: true } });
  const { mesh, cwd, locks } = scene;
  await locks.take("a.ts", cwd, { owner: OTHER });
  const bash = { cwd, tool_name: "Bash", tool_input: { command: "f=a.ts; echo x > $f" }, tool_call_id: "t1" };
  assertEquals((await mesh.hook("pre-tool", bash)).stdout, "");
  await Deno.writeTextFile(`${cwd}/a.ts`, "changed");
  assertEquals((await mesh.hook("post-tool", bash)).stdout, "");
  const { reason } = JSON.parse((await mesh.hook("turn-end", { cwd })).stdout);
  assertStringIncludes(reason, `${cwd}/a.ts, which codex-b0b0 has locked`);
});

Deno.test("a lock directory that is garbage lets edits go ahead and is counted; strict refuses them", async () => {
  await using scene = await begun();
  const { mesh, edit } = scene;
  await Deno.writeTextFile(`${mesh.dir}/locks`, "garbage");
  assertEquals((await mesh.hook("pre-tool", edit("a.ts"))).stdout, "");
  const counted = () => readLog(mesh.home.state).filter(({ outcome }) => outcome === UNCHECKED).length;
  assertEquals(counted(), 1);
  const strict = { env: { SIGNET_LOCKS: "strict" } };
  assertMatch(
    (await mesh.hook("pre-tool", edit("a.ts"), strict)).stdout,
    /"permissionDecision":"deny".+strict/,
  );
  assertEquals((await mesh.hook("pre-tool", { tool_name: "Read", tool_input: {} }, strict)).stdout, "");
  // The whole directory of the mesh.
  await Deno.remove(mesh.dir, { recursive: true });
  assertEquals((await mesh.hook("pre-tool", edit("a.ts"), strict)).stdout, "", "no directory, no locks");
  await Deno.writeTextFile(mesh.dir, "garbage");
  assertEquals((await mesh.hook("pre-tool", edit("a.ts"))).stdout, "");
  assertEquals(counted(), 2);
  assertMatch(
    (await mesh.hook("pre-tool", edit("a.ts"), strict)).stdout,
    /"permissionDecision":"deny".+strict/,
  );
});

Deno.test("the mode comes from agents.json", async () => {
  await using scene = await begun();
  const { mesh, cwd, locks, edit } = scene;
  await locks.take("a.ts", cwd, { owner: OTHER });
  const config = `${mesh.home.path}/.config/signet/agents.json`;
  for (const [text, denies] of [['{"locks":"off"}', false], ['{"locks":"on"}', true], ["{", true]] as const) {
    await Deno.writeTextFile(config, text);
    assertEquals((await mesh.hook("pre-tool", edit("a.ts"))).stdout !== "", denies, text);
  }
});
