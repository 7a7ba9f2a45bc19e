import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { sessionName } from "../../../hooks/agents/dir.ts";
import { Inbox } from "../../../hooks/agents/messages/inbox.ts";
import { Locks } from "../../../hooks/agents/locks/locks.ts";
import { newMessageId } from "../../../hooks/agents/messages/message_id.ts";
import { AgentSessions } from "../../../hooks/agents/sessions/session.ts";
import { DOORBELL } from "../../../hooks/agents/wake/doorbell.ts";
import { sampleMessage } from "../testing/sample_message.ts";
import { until } from "../testing/until.ts";
import { Agents, sessionName as pluginName } from "./agents_bridge.js";

const MAIN = new URL("../../../tests/worlds/hooks/patient_opencode.ts", import.meta.url).pathname;
/** Where this process has its modules, for a home that has none. */
const CACHE = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
const SESSION = { harness: "opencode", key: "ses_1" };
const OTHER = { agentId: "bob", harness: "codex", session: "s-bob", machine: "here" };

/** A home with a live session of OpenCode, and a plugin that runs our real hooks in it. */
async function scratch(options: { program?: string[] } = {}) {
  const home = await Deno.realPath(await Deno.makeTempDir());
  const dir = `${home}/.local/state/signet/agents`;
  const cwd = `${home}/app`;
  await Deno.mkdir(cwd);
  await Deno.mkdir(dir, { recursive: true, mode: 0o700 });
  const session = new AgentSessions(dir).begin({
    ...SESSION,
    agentId: "work",
    url: "http://127.0.0.1:1",
    project: cwd,
    machine: "here",
    wake: "plugin",
  });
  const deno = [Deno.execPath(), "run", "-A", "--no-check", MAIN];
  const argv = options.program ?? ["env", `HOME=${home}`, `DENO_DIR=${CACHE}`, ...deno, "hook", "EVENT"];
  const agents = new Agents({
    argv,
    agents: {
      harness: "opencode",
      dir,
      configs: [`${home}/.config/signet/agents.yaml`],
      doorbell: DOORBELL,
      tools: ["write", "bash"],
      timeouts: { "pre-tool": 60_000, "post-tool": 60_000, "turn-end": 60_000 },
    },
  });
  const put = (priority: 2 | 3 | 4 | 5, text: string) =>
    new Inbox(dir).put(
      SESSION,
      sampleMessage({
        id: newMessageId(),
        priority,
        text,
        from: { agentId: "work" },
        to: { session: "ses_1" },
      }),
    );
  return {
    dir,
    cwd,
    agents,
    session,
    put,
    [Symbol.asyncDispose]: async () => {
      agents.busy("ses_1");
      await Deno.remove(home, { recursive: true });
    },
  };
}

Deno.test("agents_bridge: a session's files have the name that hooks use", () => {
  for (const key of ["ses_1", "../x/y", "é☃𝄞", "a".repeat(100)]) {
    assertEquals(pluginName("opencode", key), sessionName("opencode", key));
  }
});

Deno.test("agents_bridge: without locks and messages no program runs, and the session's tool is noted", async () => {
  await using world = await scratch({ program: ["false"] });
  const { agents, dir, cwd } = world;
  assertEquals(await agents.refusal("ses_1", cwd, "write", { filePath: `${cwd}/a.ts` }), undefined);
  assertEquals(await agents.messages("ses_1", cwd), "");
  const { status, tool, file } = new AgentSessions(dir).get(SESSION) ?? {};
  assertEquals([status, tool, file], ["working", "write", `${cwd}/a.ts`]);
});

Deno.test("agents_bridge: many tools keep a session's file small, and an ended session is not brought back", async () => {
  await using world = await scratch({ program: ["false"] });
  const { agents, dir } = world;
  const sessions = new AgentSessions(dir);
  for (let i = 0; i < 300; i++) agents.note("ses_1", "working", "write", `/home/u/app/${i}.ts`);
  assertEquals(sessions.get(SESSION)?.file, "/home/u/app/299.ts");
  const path = `${dir}/sessions/${sessionName("opencode", "ses_1")}.json`;
  assertEquals(Deno.statSync(path).size < 9_000, true);
  await agents.refusal("ses_1", world.cwd, "write", { filePath: "x".repeat(100_000) });
  assertEquals(sessions.get(SESSION)?.file, "x".repeat(500));
  // As a full disk may leave it.
  Deno.writeTextFileSync(path, '\n{"status":"idl', { append: true });
  assertEquals(agents.note("ses_1", "working")?.project, world.cwd);
  assertEquals(sessions.get(SESSION)?.file, undefined);
  sessions.end(SESSION);
  assertEquals(agents.note("ses_1", "working"), undefined);
  assertEquals(sessions.list(), []);
});

Deno.test("agents_bridge: a file that another session has locked is refused, others are not", async () => {
  await using world = await scratch();
  const { agents, dir, cwd } = world;
  await new Locks(dir).take("a.ts", cwd, { owner: OTHER, intent: "rename fields" });
  const refused = await agents.refusal("ses_1", cwd, "write", { filePath: `${cwd}/a.ts` });
  assertStringIncludes(refused ?? "", "rename fields");
  assertStringIncludes(
    await agents.refusal("ses_1", cwd, "bash", { command: "echo x > a.ts" }) ?? "",
    "codex",
  );
  assertEquals(await agents.refusal("ses_1", cwd, "write", { filePath: `${cwd}/b.ts` }), undefined);
  assertEquals(await agents.refusal("ses_1", cwd, "read", { filePath: `${cwd}/a.ts` }), undefined);
});

Deno.test("agents_bridge: a repository that tightens the locks is asked about every write", async () => {
  const marker = await Deno.makeTempFile();
  try {
    await using world = await scratch({ program: ["rm", "-f", marker] });
    const { agents, dir, cwd } = world;
    await agents.refusal("ses_1", cwd, "write", { filePath: `${cwd}/a.ts` });
    assertEquals((await Deno.stat(marker)).isFile, true, "no program runs without locks");
    const sessions = new AgentSessions(dir);
    const session = sessions.get(SESSION);
    assert(session, "the session has a file");
    sessions.limit(session, { locks: "auto" });
    await agents.refusal("ses_1", cwd, "write", { filePath: `${cwd}/a.ts` });
    await assertRejects(() => Deno.stat(marker), Deno.errors.NotFound);
  } finally {
    await Deno.remove(marker).catch(() => {});
  }
});

Deno.test("agents_bridge: a locked directory counts without any locked file", async () => {
  await using world = await scratch();
  const { agents, dir, cwd } = world;
  await new Locks(dir).take(".", cwd, { owner: OTHER, scope: "tree" });
  const refused = await agents.refusal("ses_1", cwd, "write", { filePath: `${cwd}/src/a.ts` });
  assertStringIncludes(refused ?? "", "is locked with all of");
});

Deno.test("agents_bridge: a message that arrives during a turn is shown once", async () => {
  await using world = await scratch();
  const { agents, cwd, put } = world;
  put(2, "for the end of the turn");
  assertEquals(await agents.messages("ses_1", cwd), "");
  put(3, "look at the tests");
  assertStringIncludes(await agents.messages("ses_1", cwd), "look at the tests");
  assertEquals(await agents.messages("ses_1", cwd), "");
});

Deno.test("agents_bridge: a message that says stop refuses one tool call", async () => {
  await using world = await scratch();
  const { agents, cwd, put } = world;
  put(5, "stop, the plan changed");
  assertStringIncludes(await agents.refusal("ses_1", cwd, "read", {}) ?? "", "the plan changed");
  assertEquals(await agents.refusal("ses_1", cwd, "read", {}), undefined);
});

Deno.test("agents_bridge: an idle session is woken once, by a message that may wake it", async () => {
  await using world = await scratch();
  const { agents, cwd, dir, put } = world;
  const rung: string[] = [];
  put(2, "no hurry");
  await agents.idle("ses_1", cwd, (text: string) => rung.push(text));
  assertEquals(new AgentSessions(dir).get(SESSION)?.status, "idle");
  assertEquals(rung, []);
  put(3, "are you there?");
  await until("the bell rings", () => rung.length > 0);
  assertEquals(rung, [DOORBELL]);
  agents.busy("ses_1");
});

Deno.test("agents_bridge: a session is idle although the hook at the end of its turn was killed", async () => {
  await using world = await scratch({ program: ["sh", "-c", "kill -9 $$"] });
  const { agents, cwd, dir, put } = world;
  agents.note("ses_1", "working");
  const rung: string[] = [];
  await agents.idle("ses_1", cwd, (text: string) => rung.push(text));
  assertEquals(new AgentSessions(dir).get(SESSION)?.status, "idle");
  put(3, "are you there?");
  await until("the bell rings", () => rung.length > 0);
  agents.busy("ses_1");
});

Deno.test("agents_bridge: the bell waits until the program takes a prompt", async () => {
  await using world = await scratch();
  const { agents, cwd, put } = world;
  const rung: string[] = [];
  let looks = 0;
  // pi finishes a turn after the handlers of its end, and refuses a prompt until then.
  const isReady = () => ++looks > 3;
  put(3, "are you there?");
  await agents.idle("ses_1", cwd, (text: string) => rung.push(`${text} ${looks}`), isReady);
  assertEquals(rung, []);
  await until("the bell rings", () => rung.length > 0);
  assertEquals(rung, [`${DOORBELL} 4`]);
  agents.busy("ses_1");
});

Deno.test("agents_bridge: a program that is gone refuses nothing", async () => {
  await using world = await scratch({ program: ["/nonexistent", "EVENT"] });
  const { agents, dir, cwd, put } = world;
  await new Locks(dir).take("a.ts", cwd, { owner: OTHER });
  put(3, "hello");
  assertEquals(await agents.refusal("ses_1", cwd, "write", { filePath: `${cwd}/a.ts` }), undefined);
  assertEquals(await agents.messages("ses_1", cwd), "");
  assert(!new Agents({ argv: [] }).doorbell, "without --agents there is nothing to do");
});
