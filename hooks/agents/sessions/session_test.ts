import { assertEquals } from "@std/assert";
import { findCaller } from "../../state/caller.ts";
import { makeAgentsDir, openAgentsDir, sessionName } from "../dir.ts";
import { handleOf, projectName, resolveHandle } from "./handle.ts";
import { agentLogPath } from "../log_line.ts";
import { AgentSessions } from "./session.ts";

const SESSION = {
  key: "3f9a0c4e-1111-4222-8333-444455556666",
  harness: "codex",
  agentId: "work",
  url: "http://127.0.0.1:3850",
  project: "/home/u/app",
  machine: "m1",
  wake: "queue",
} as const;

Deno.test("AgentSessions keeps a session's status and forgets it at its end", async () => {
  const dir = await Deno.makeTempDir();
  let now = 1_800_000_000_000;
  const sessions = new AgentSessions(dir, () => now);
  assertEquals(sessions.update(SESSION, { status: "idle" }), undefined);
  assertEquals(sessions.touch(SESSION), false);
  assertEquals(sessions.begin(SESSION).status, "starting");
  now += 5_000;
  sessions.update(SESSION, { status: "working", tool: "Bash", file: "/a" });
  now += 5_000;
  sessions.update(SESSION, { status: "working", tool: "Edit" });
  const [listed] = sessions.list();
  assertEquals(
    [listed?.status, listed?.tool, listed?.file, listed?.since, listed?.hookAt, listed?.gone],
    ["working", "Edit", undefined, now - 5_000, now, false],
  );
  now += 25 * 3600 * 1000;
  assertEquals(sessions.get(SESSION)?.gone, true);
  assertEquals(sessions.begin(SESSION).startedAt, 1_800_000_000_000);
  sessions.prune();
  assertEquals(sessions.list().length, 1);
  now += 8 * 24 * 3600 * 1000;
  sessions.prune();
  assertEquals(sessions.list(), []);
  sessions.begin(SESSION);
  sessions.end(SESSION);
  assertEquals(sessions.list(), []);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("AgentSessions logs each change of status once, and no change of tool", async () => {
  const dir = await Deno.makeTempDir();
  let now = 1_800_000_000_000;
  const sessions = new AgentSessions(dir, () => now++);
  sessions.begin(SESSION);
  for (const tool of ["Bash", "Edit", "Edit"]) sessions.update(SESSION, { status: "working", tool });
  sessions.update(SESSION, { status: "waiting" });
  sessions.update(SESSION, { status: "idle" });
  const lines = Deno.readTextFileSync(agentLogPath(dir)).trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.map(({ event }) => event), ["starting", "working", "waiting", "idle"]);
  assertEquals(new Set(lines.map(({ harness, session }) => `${harness} ${session}`)).size, 1);
  assertEquals(lines.at(-1)?.at, sessions.get(SESSION)?.since);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("AgentSessions keeps a session's file small, however often its tool changes", async () => {
  const dir = await Deno.makeTempDir();
  let now = 1_800_000_000_000;
  const sessions = new AgentSessions(dir, () => now++);
  sessions.begin(SESSION);
  let largest = 0;
  for (let i = 0; i < 500; i++) {
    sessions.update(SESSION, { status: "working", tool: "Edit", file: `/home/u/app/${i}.ts` });
    const [{ name } = { name: "" }] = [...Deno.readDirSync(`${dir}/sessions`)];
    largest = Math.max(largest, Deno.statSync(`${dir}/sessions/${name}`).size);
    assertEquals(sessions.get(SESSION)?.file, `/home/u/app/${i}.ts`);
  }
  assertEquals(largest < 9_000, true, `${largest} bytes`);
  sessions.update(SESSION, { status: "idle" });
  const { status, tool, file, project, since } = sessions.get(SESSION) ?? {};
  assertEquals([status, tool, file, project], ["idle", undefined, undefined, SESSION.project]);
  assertEquals(since !== undefined && since > 1_800_000_000_400, true);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("AgentSessions ignores a change that was cut off, and reads the next", async () => {
  const dir = await Deno.makeTempDir();
  const sessions = new AgentSessions(dir);
  sessions.begin(SESSION);
  sessions.update(SESSION, { status: "working", tool: "Bash" });
  const [{ name } = { name: "" }] = [...Deno.readDirSync(`${dir}/sessions`)];
  Deno.writeTextFileSync(`${dir}/sessions/${name}`, '\n{"status":"idle","si', { append: true });
  assertEquals([sessions.get(SESSION)?.status, sessions.get(SESSION)?.tool], ["working", "Bash"]);
  sessions.update(SESSION, { status: "waiting" });
  assertEquals([sessions.get(SESSION)?.status, sessions.get(SESSION)?.tool], ["waiting", undefined]);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("AgentSessions does not bring back a session that ended since it was read", async () => {
  const dir = await Deno.makeTempDir();
  const sessions = new AgentSessions(dir);
  const session = sessions.begin(SESSION);
  sessions.end(SESSION);
  assertEquals(sessions.update(SESSION, { status: "idle" }, session), undefined);
  assertEquals(sessions.list(), []);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("AgentSessions says that a session whose process ended is gone", async () => {
  const dir = await Deno.makeTempDir();
  const sessions = new AgentSessions(dir);
  const caller = findCaller(Deno.pid);
  sessions.begin({ ...SESSION, caller });
  assertEquals(sessions.get(SESSION)?.gone, false);
  if (caller !== undefined) {
    sessions.begin({ ...SESSION, caller: { ...caller, program: "/another/program" } });
    assertEquals(sessions.get(SESSION)?.gone, true);
  }
  await Deno.remove(dir, { recursive: true });
});

Deno.test("AgentSessions skips a file that is no session", async () => {
  const dir = await Deno.makeTempDir();
  await Deno.mkdir(`${dir}/sessions`);
  for (const text of ["", "{", "[]", '{"key":5}']) {
    await Deno.writeTextFile(`${dir}/sessions/x${text.length}.json`, text);
  }
  assertEquals(new AgentSessions(dir).list(), []);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("sessionName() is a file name for any key, and differs for each", () => {
  const keys = ["a", "b", "../../x", "a/b", "ab", "", "\0", "x".repeat(500)];
  const names = keys.map((key) => sessionName("pi", key));
  assertEquals(new Set(names).size, keys.length);
  for (const name of names) assertEquals(/^[A-Za-z0-9_-]{1,80}$/.test(name), true, name);
});

Deno.test("openAgentsDir() refuses a link and a directory that others can use", async () => {
  const home = await Deno.makeTempDir();
  const host = { env: (name: string) => name === "HOME" ? home : undefined, os: "linux" } as const;
  assertEquals(openAgentsDir(host), undefined);
  const dir = makeAgentsDir(host);
  assertEquals(openAgentsDir(host), dir);
  await Deno.chmod(dir, 0o755);
  assertEquals(openAgentsDir(host), undefined);
  await Deno.remove(dir);
  await Deno.mkdir(`${home}/elsewhere`, { mode: 0o700 });
  await Deno.symlink(`${home}/elsewhere`, dir);
  assertEquals(openAgentsDir(host), undefined);
  await Deno.remove(home, { recursive: true });
});

Deno.test("resolveHandle() finds a session by key, agent, handle, harness and project", () => {
  const claude = { ...SESSION, harness: "claude-code", key: "77aa0000-1111-4222-8333-444455556666" };
  const timed = { ...SESSION, key: "0199a1b2-c3d4-7eee-8abc-1234567890ab", agentId: "home" };
  const other = { ...timed, key: "0199a1b2-c3d4-7eef-8abc-9876543210ab", project: "/home/u/web/" };
  const all = [claude, timed, other];
  const found = (handle: string) => resolveHandle(handle, all).map(({ key }) => key);
  assertEquals(handleOf(claude), "claude-77aa");
  assertEquals(handleOf(timed), "codex-1234");
  assertEquals(found("claude-77aa"), [claude.key]);
  assertEquals(found("claude-code-77aa"), [claude.key]);
  assertEquals(found("claude"), [claude.key]);
  assertEquals(found("CODEX-1234"), [timed.key]);
  assertEquals(found("codex-12345"), [timed.key]);
  assertEquals(found("codex-0199a1b2"), [timed.key, other.key]);
  assertEquals(found("codex"), [timed.key, other.key]);
  assertEquals(found("codex@web"), [other.key]);
  assertEquals(found("work"), [claude.key]);
  assertEquals(found(other.key), [other.key]);
  assertEquals(found("codex-123"), []);
  assertEquals(found("gemini"), []);
  assertEquals(projectName("C:\\work\\app"), "app");
});
