import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { AgentCall } from "../call.ts";
import { Inbox } from "../messages/inbox.ts";
import { AgentSessions } from "../sessions/session.ts";
import { checkTool } from "./check_tool.ts";
import type { LockOwner } from "./lock.ts";
import type { LockMode } from "../config/lock_modes.ts";
import { readLines } from "./lock_log.ts";
import { Locks } from "./locks.ts";
import { HARMLESS_LINES, HIDDEN_WRITES, PLAIN_WRITES } from "./testing_lines.ts";
import { enforceLocks } from "./enforce_locks.ts";
import { isFree } from "./is_free.ts";
import { recordWrites } from "./record_writes.ts";
import { ownerOf } from "./tool_call.ts";
import type { ToolTable } from "./targets/tool_targets.ts";

const TOOLS: ToolTable = {
  Edit: { paths: ["file_path"] },
  Bash: { shell: ["command"], cwd: ["workdir"] },
  apply_patch: { patch: ["command"] },
};

/** A project with a file that Ann has locked, and Bob, who wants to edit. */
async function scratch() {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const cwd = `${root}/app`;
  for (const dir of ["src/deep", "tmp", ".git"]) await Deno.mkdir(`${cwd}/${dir}`, { recursive: true });
  for (const file of ["src/locked.ts", "src/free.ts", "src/deep/x.ts", "other.txt"]) {
    await Deno.writeTextFile(`${cwd}/${file}`, `text of ${file}\n`);
  }
  const dir = `${root}/agents`;
  await Deno.mkdir(dir, { mode: 0o700 });
  const sessions = new AgentSessions(dir);
  const about = { url: "", project: cwd, machine: "here", wake: "none" as const };
  const ann = sessions.begin({ ...about, agentId: "ann", harness: "claude-code", key: "aaaa1111" });
  const bob = sessions.begin({ ...about, agentId: "bob", harness: "codex", key: "bbbb2222" });
  const locks = new Locks(dir);
  const { lock } = await locks.take("src/locked.ts", cwd, {
    owner: ownerOf(ann),
    intent: 'rename "x"\nall over',
  });
  const check = (tool: string, input: unknown, owner: LockOwner = ownerOf(bob), mode: LockMode = "on") =>
    checkTool(locks, mode, TOOLS, { tool, input, cwd }, owner);
  const call = (tool: string, input: object, id = "call-1"): AgentCall => ({
    profile: {
      id: "codex",
      runtimePath: "legacy",
      events: {},
      maxInject: 1,
      transcript: "text",
      render: () => "",
    },
    agents: {
      events: {},
      tools: TOOLS,
      refusal: "permission",
      goOn: "block",
      goOnLimit: 1,
      contextBeforeTool: false,
      wake: () => "none",
    },
    dir,
    sessions,
    session: bob,
    input: { tool_input: input, cwd, tool_use_id: id },
    tool,
    hasFile: true,
    isSubagent: false,
  });
  return { root, cwd, dir, ann: ownerOf(ann), bob: ownerOf(bob), locks, lock, check, call };
}

Deno.test("checkTool() refuses an edit of a locked file, with one line that says by whom and until when", async () => {
  const { cwd, ann, check, locks } = await scratch();
  for (const path of ["src/locked.ts", `${cwd}/src/locked.ts`, "./src/deep/../locked.ts", "@src/locked.ts"]) {
    const verdict = await check("Edit", { file_path: path });
    assert(verdict.kind === "denied", path);
    assertMatch(
      verdict.reason,
      /^Not changed: \S+\/src\/locked\.ts is locked by claude-aaaa \(agent ann\) since [\d:]{8} until [\d:]{8} UTC, "rename 'x' all over"\. Do other work, .+$/,
    );
    assert(verdict.reason.length <= 400);
  }
  assertEquals((await check("Edit", { file_path: "src/locked.ts" }, ann)).kind, "allowed", "its owner");
  assertEquals((await check("Edit", { file_path: "src/free.ts" })).kind, "allowed", "another file");
  assertEquals((await check("Read", { file_path: "src/locked.ts" })).kind, "allowed", "a tool that reads");
  assertEquals(
    (await check("Edit", { file_path: "src/locked.ts" }, undefined, "off")).kind,
    "allowed",
    "off",
  );
  const patch = "*** Begin Patch\n*** Update File: other.txt\n*** Move to: src/locked.ts\n@@\n*** End Patch";
  assertEquals((await check("apply_patch", { command: patch })).kind, "denied");
  assertEquals(
    (await check("apply_patch", { command: patch.replace("src/locked.ts", "b.txt") })).kind,
    "allowed",
  );
  const broken = await check("apply_patch", { command: "nonsense" });
  assert(
    broken.kind === "allowed" && broken.writes?.unknown.length === 1,
    "a patch that is none may write anything",
  );
  assertEquals((await check("Bash", { command: ["bash", "-lc", "rm src/locked.ts"] })).kind, "denied");
  assertEquals((await check("Bash", { command: "rm locked.ts", workdir: "src" })).kind, "denied");
  await locks.free(ann);
  assertEquals((await check("Edit", { file_path: "src/locked.ts" })).kind, "allowed", "once it is free");
});

Deno.test("lockReason() stays one short line, whatever the names are", async () => {
  const { cwd, ann, locks, check } = await scratch();
  const deep = `${cwd}/${"very-long-directory-name/".repeat(8)}`;
  const agentId = "x".repeat(300);
  await locks.take(`${deep}a.ts`, cwd, {
    owner: { ...ann, agentId },
    intent: `${"i\n\u001b[31m".repeat(300)}`,
  });
  const verdict = await check("Edit", { file_path: `${deep}a.ts` });
  assert(verdict.kind === "denied");
  assert(verdict.reason.length <= 400, `${verdict.reason.length}`);
  // deno-lint-ignore no-control-regex
  assert(!/[\u0000-\u001f]/.test(verdict.reason));
  assertStringIncludes(verdict.reason, "file_lock");
});

Deno.test(`checkTool() denies ${PLAIN_WRITES.length} shell lines with plain targets`, async () => {
  const { check } = await scratch();
  for (const command of PLAIN_WRITES) {
    assertEquals((await check("Bash", { command })).kind, "denied", command);
  }
});

Deno.test(`checkTool() allows ${HARMLESS_LINES.length} harmless shell lines`, async () => {
  const { check } = await scratch();
  for (const command of HARMLESS_LINES) {
    const verdict = await check("Bash", { command });
    assert(verdict.kind === "allowed" && verdict.writes?.unknown.length === 0, command);
  }
});

Deno.test(`${HIDDEN_WRITES.length} hidden writes are noticed afterwards, and both sessions learn it`, async () => {
  for (const command of HIDDEN_WRITES) {
    const { cwd, dir, locks, call } = await scratch();
    const before = await Deno.readTextFile(`${cwd}/src/locked.ts`);
    // `eval` of a literal text is both: denied, and unknown in general.
    const refused = await enforceLocks(call("Bash", { command }), "on");
    if (command.startsWith("eval")) {
      assertEquals(refused?.answer.kind, "refuse");
      continue;
    }
    assertEquals(refused, undefined, command);
    await new Deno.Command("sh", {
      args: ["-c", command],
      cwd,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    const after = await Deno.readTextFile(`${cwd}/src/locked.ts`).catch(() => "missing");
    assert(before !== after, `${command} changed nothing, so it shows nothing`);
    const warning = await recordWrites(call("Bash", { command }));
    assertStringIncludes(warning ?? "", "src/locked.ts, which claude-aaaa has locked", command);
    assertEquals(readLines(locks.logPath).at(-1)?.event, "violated", command);
    const [message] = new Inbox(dir).peek({ harness: "claude-code", key: "aaaa1111" }, "new");
    assertEquals([message?.priority, message?.kind, message?.from.agentId], [4, "lock", "bob"], command);
    assertEquals(await recordWrites(call("Bash", { command })), undefined, "only once");
  }
});

Deno.test("a relative write in a directory that the harness does not name is noticed afterwards", async () => {
  const { cwd, call } = await scratch();
  const tools: ToolTable = { Bash: { shell: ["command"], elsewhere: true } };
  const input = { command: "echo changed > locked.ts" };
  const made = call("Bash", input);
  const codex: AgentCall = { ...made, agents: { ...made.agents, tools } };
  assertEquals(await enforceLocks(codex, "on"), undefined);
  // It ran in src/.
  await Deno.writeTextFile(`${cwd}/src/locked.ts`, "changed\n");
  assertStringIncludes(await recordWrites(codex) ?? "", `${cwd}/src/locked.ts, which claude-aaaa has locked`);
  const plain = await enforceLocks(call("Bash", { command: "echo changed > src/locked.ts" }), "on");
  assertEquals(plain?.outcome, "locked");
});

Deno.test("an unknown command that changes nothing, and an edit of the owner meanwhile, are no violation", async () => {
  const { cwd, locks, call, ann } = await scratch();
  await enforceLocks(call("Bash", { command: "some-program" }), "on");
  assertEquals(await recordWrites(call("Bash", { command: "some-program" })), undefined);
  await enforceLocks(call("Bash", { command: "make all" }), "on");
  await Deno.writeTextFile(`${cwd}/src/locked.ts`, "an edit of the owner");
  const edit = call("Edit", { file_path: "src/locked.ts" });
  await recordWrites({
    ...edit,
    session: { ...edit.session, harness: ann.harness, key: ann.session, agentId: "ann" },
  });
  assertEquals(await recordWrites(call("Bash", { command: "make all" })), undefined);
  const [change] = readLines(locks.changesPath);
  assertEquals([change?.path, change?.agentId, change?.tool], [`${cwd}/src/locked.ts`, "ann", "Edit"]);
});

Deno.test("recordWrites() notes the edits of tools and the plain writes of shell lines", async () => {
  const { cwd, locks, call } = await scratch();
  await recordWrites(call("Edit", { file_path: "src/free.ts" }));
  await Deno.writeTextFile(`${cwd}/other.txt`, "new");
  await recordWrites(call("Bash", { command: "echo new > other.txt; echo x > never-made.txt" }));
  await recordWrites(call("Read", { file_path: "src/deep/x.ts" }));
  assertEquals(readLines(locks.changesPath).map(({ path, tool }) => [path, tool]), [
    [`${cwd}/src/free.ts`, "Edit"],
    [`${cwd}/other.txt`, "Bash"],
  ]);
});

Deno.test("checkTool() finds a locked file by another hard link", async () => {
  const { cwd, check } = await scratch();
  await Deno.link(`${cwd}/src/locked.ts`, `${cwd}/tmp/same.ts`);
  assertEquals((await check("Edit", { file_path: "tmp/same.ts" })).kind, "denied");
});

Deno.test("in the mode auto an edit takes a lock that others must wait for", async () => {
  const { ann, bob, check, locks, cwd } = await scratch();
  assertEquals((await check("Edit", { file_path: "src/free.ts" }, bob, "auto")).kind, "allowed");
  assertEquals(locks.heldBy(bob).map(({ path, kind }) => [path, kind]), [[`${cwd}/src/free.ts`, "auto"]]);
  assertEquals((await check("Edit", { file_path: "src/free.ts" }, ann, "auto")).kind, "denied");
  assertEquals((await check("Edit", { file_path: "src/free.ts" }, ann, "on")).kind, "denied");
  assertEquals((await check("Edit", { file_path: "src/free.ts" }, bob, "auto")).kind, "allowed");
  assertEquals((await check("Bash", { command: "cat src/deep/x.ts" }, bob, "auto")).kind, "allowed");
  assertEquals(locks.heldBy(bob).length, 1, "reading takes none");
});

Deno.test("an owner learns that it has lost a lock before its next edit, once", async () => {
  const { ann, bob, check, locks, cwd } = await scratch();
  await locks.force("src/locked.ts", cwd, bob);
  const refused = await check("Edit", { file_path: "src/locked.ts" }, ann);
  assertMatch(refused.kind === "denied" ? refused.reason : "", /your lock on \S+ has ended/);
  assertEquals((await check("Edit", { file_path: "src/locked.ts" }, ann)).kind, "allowed");
});

Deno.test("locks that cannot be checked let edits go ahead, except in the mode strict", async () => {
  const { dir, check } = await scratch();
  await Deno.rename(`${dir}/locks`, `${dir}/away`);
  await Deno.writeTextFile(`${dir}/locks`, "not a directory");
  const open = await check("Edit", { file_path: "src/free.ts" });
  assert(open.kind === "allowed" && open.trouble !== undefined);
  const closed = await check("Edit", { file_path: "src/free.ts" }, undefined, "strict");
  assertMatch(closed.kind === "denied" ? closed.reason : "", /cannot be checked .+ strict/);
  assertEquals((await check("Read", { file_path: "src/free.ts" }, undefined, "strict")).kind, "allowed");
});

Deno.test("isFree() is true only for a file that nobody has locked, by any of its names", async () => {
  const { cwd, dir, ann, bob, locks, call } = await scratch();
  await Deno.symlink(`${cwd}/src/locked.ts`, `${cwd}/alias.ts`);
  await Deno.symlink(`${cwd}/src`, `${cwd}/linked`);
  await Deno.link(`${cwd}/src/locked.ts`, `${cwd}/hard.ts`);
  const free = (file_path: unknown) => isFree(call("Edit", { file_path }));
  for (const path of ["src/free.ts", "src/new.ts", "new/deep/x.ts", "linked/free.ts"]) {
    assertEquals(free(`${cwd}/${path}`), true, path);
  }
  // Not locked, but another session may know it by another name.
  await Deno.link(`${cwd}/src/free.ts`, `${cwd}/twin.ts`);
  const doubtful = [
    ...["src/locked.ts", "alias.ts", "hard.ts", "linked/locked.ts", "twin.ts", "tmp/../src/locked.ts"]
      .map((path) => `${cwd}/${path}`),
    ...[
      "src/free.ts",
      "~/x.ts",
      "@x.ts",
      "file:///home/u/x.ts",
      "",
      "/a\0b",
      `/${"x".repeat(5000)}`,
      7,
      null,
    ],
  ];
  for (const path of doubtful) assertEquals(free(path), false, String(path));
  assertEquals(isFree(call("Bash", { command: "ls" })), false);
  assertEquals(isFree(call("Unknown", { file_path: `${cwd}/src/deep/x.ts` })), false);
  const x = `${cwd}/src/deep/x.ts`;
  assertEquals(free(x), true);
  await locks.take("src/deep", cwd, { owner: ann, scope: "tree" });
  assertEquals(free(x), false, "a directory above it");
  await locks.free(ann);
  assertEquals(free(x), true);
  await locks.take("other.txt", cwd, { owner: bob });
  assertEquals(free(x), false, "a lease to renew");
  await locks.free(bob);
  await Deno.remove(`${dir}/locks/held`, { recursive: true });
  await Deno.mkdir(`${dir}/locks/shared`);
  assertEquals(free(x), false, "locks of other clones");
  await Deno.remove(`${dir}/locks`, { recursive: true });
  await Deno.writeTextFile(`${dir}/locks`, "");
  assertEquals(free(x), false, "trouble");
});
