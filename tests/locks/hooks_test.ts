import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { LockTrouble } from "../../hooks/agents/locks/lock_dir.ts";
import { UNCHECKED } from "../../hooks/agents/locks/not_checked.ts";
import { readLines } from "../../hooks/agents/locks/lock_log.ts";
import { Locks } from "../../hooks/agents/locks/locks.ts";
import { readLog } from "../../hooks/report.ts";
import { callerOf } from "../../hooks/state/caller.ts";
import { canReadUnprivileged, UNPRIVILEGED } from "../../connectors/base/testing/unprivileged.ts";
import { MeshHome } from "../worlds/agents/mesh_home.ts";
import { canMount, mountSmallDisk, unmount } from "../worlds/small_disk.ts";
import type { HookOptions } from "../worlds/hooks/sample_home.ts";
import { copyProgram } from "../../connectors/base/testing/write_program.ts";

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

Deno.test("a lock whose holder was killed is free for the next edit, long before its lease ends", async () => {
  if (Deno.build.os !== "linux") return;
  await using scene = await begun();
  const { mesh, cwd, locks, edit } = scene;
  const holder = new Deno.Command("sleep", { args: ["600"] }).spawn();
  try {
    const owner = { ...OTHER, caller: callerOf(holder.pid) };
    await locks.take("a.ts", cwd, { owner, leaseMs: 3_600_000 });
    const auto = { env: { SIGNET_LOCKS: "auto" } };
    assertStringIncludes((await mesh.hook("pre-tool", edit("a.ts"), auto)).stdout, "is locked by codex-b0b0");
    holder.kill("SIGKILL");
    await holder.status;
    assertEquals((await mesh.hook("pre-tool", edit("a.ts"), auto)).stdout, "");
    assertEquals(locks.dir.list().map(({ session }) => session), [mesh.id.key]);
  } finally {
    await holder[Symbol.asyncDispose]();
  }
});

Deno.test({
  name: "on a full disk edits go ahead and are counted, strict refuses what it could not watch, " +
    "and no half file stays (needs root, to mount a tmpfs)",
  ignore: !canMount(),
  async fn() {
    await using scene = await begun();
    const { mesh, cwd, locks, edit } = scene;
    await locks.take("a.ts", cwd, { owner: OTHER });
    await Deno.rename(`${mesh.dir}/locks`, `${mesh.dir}/before`);
    await Deno.mkdir(`${mesh.dir}/locks`, { mode: 0o700 });
    mountSmallDisk(`${mesh.dir}/locks`, "size=64k");
    try {
      await new Deno.Command("cp", { args: ["-a", `${mesh.dir}/before/.`, `${mesh.dir}/locks`] }).output();
      await Deno.writeFile(`${mesh.dir}/locks/ballast`, new Uint8Array(64 * 1024)).catch(() => {});
      const counted = () => readLog(mesh.home.state).filter(({ outcome }) => outcome === UNCHECKED).length;
      const auto = { env: { SIGNET_LOCKS: "auto" } };
      const strict = { env: { SIGNET_LOCKS: "strict" } };
      assertEquals((await mesh.hook("pre-tool", edit("b.ts"), auto)).stdout, "");
      assertEquals(counted(), 1, "its lock could not be taken");
      assertStringIncludes(
        (await mesh.hook("pre-tool", edit("a.ts"), auto)).stdout,
        "is locked by codex-b0b0",
      );
      const hidden = { cwd, tool_name: "Bash", tool_input: { command: "f=a.ts; echo x > $f" } };
      assertEquals((await mesh.hook("pre-tool", hidden)).stdout, "");
      assertEquals(counted(), 2, "it could not be watched");
      assertMatch(
        (await mesh.hook("pre-tool", hidden, strict)).stdout,
        /"permissionDecision":"deny".+cannot be checked.+strict/,
      );
      assertEquals((await mesh.hook("pre-tool", edit("b.ts"), strict)).stdout, "", "the check itself works");
      assertEquals(temporaryFiles(`${mesh.dir}/locks`), []);
      await Deno.remove(`${mesh.dir}/locks/ballast`);
      await mesh.hook("pre-tool", edit("b.ts"), auto);
      assertEquals(locks.dir.list().length, 2);
    } finally {
      unmount(`${mesh.dir}/locks`);
    }
  },
});

Deno.test({
  name: "a lock that cannot be linked on a full disk leaves nothing behind (needs root, to mount a tmpfs)",
  ignore: !canMount(),
  async fn() {
    const dir = await Deno.makeTempDir();
    await Deno.mkdir(`${dir}/locks`);
    try {
      // The directories and one file: the link to it would be one more.
      assertEquals(mountSmallDisk(`${dir}/locks`, "nr_inodes=4"), true);
      const locks = new Locks(dir);
      const error = await assertRejects(() => locks.take("a.ts", dir, { owner: OTHER }), LockTrouble);
      assertMatch(error.message, /No space left/);
      assertEquals([temporaryFiles(`${dir}/locks`), locks.dir.list()], [[], []]);
      mountSmallDisk(`${dir}/locks`, "remount,nr_inodes=100");
      assertEquals((await locks.take("a.ts", dir, { owner: OTHER })).kind, "taken");
    } finally {
      unmount(`${dir}/locks`);
      await Deno.remove(dir, { recursive: true });
    }
  },
});

const SAMPLE_HOOK = new URL("../worlds/hooks/sample_hook.ts", import.meta.url).pathname;

Deno.test({
  name: "a lock directory that cannot be read lets edits go ahead and is counted; strict refuses them " +
    "(needs a checkout that anyone can read)",
  ignore: !canReadUnprivileged(Deno.env.get("SIGNET_TEST_HOOK") ?? SAMPLE_HOOK),
  async fn() {
    await using scene = await begun();
    const { mesh, cwd, locks, edit } = scene;
    await locks.take("a.ts", cwd, { owner: OTHER });
    await Deno.chmod(`${mesh.dir}/locks`, 0o000);
    const options: HookOptions = {};
    if (UNPRIVILEGED.length > 0) {
      // With a copy of Deno that `nobody` can reach.
      options.program = `${mesh.home.path}/deno`;
      await copyProgram(Deno.execPath(), options.program);
      await new Deno.Command("chown", { args: ["-R", "65534:65534", mesh.home.path] }).output();
      options.before = [...UNPRIVILEGED, "env", `DENO_DIR=${mesh.home.path}/none`];
    }
    const env = { SAMPLE_PIDS: undefined };
    try {
      assertEquals((await mesh.hook("pre-tool", edit("a.ts"), { ...options, env })).stdout, "");
      const refused = await mesh.hook("pre-tool", edit("a.ts"), {
        ...options,
        env: { ...env, SIGNET_LOCKS: "strict" },
      });
      assertMatch(refused.stdout, /"permissionDecision":"deny".+strict/);
      const unchecked = readLog(mesh.home.state).filter(({ outcome }) => outcome === UNCHECKED);
      assertEquals(unchecked.length, 1);
      assertMatch(unchecked[0]?.detail ?? "", /Permission denied/);
    } finally {
      await Deno.chmod(`${mesh.dir}/locks`, 0o700);
    }
  },
});

/** What an interrupted write leaves. */
function temporaryFiles(dir: string): string[] {
  return [...Deno.readDirSync(dir)].flatMap(({ name, isDirectory }) =>
    isDirectory ? temporaryFiles(`${dir}/${name}`) : name.endsWith(".tmp") ? [name] : []
  );
}

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
