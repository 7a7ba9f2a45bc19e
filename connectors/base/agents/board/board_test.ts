import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Locks } from "../../../../hooks/agents/locks/locks.ts";
import type { SessionId } from "../../../../hooks/agents/sessions/session.ts";
import { sampleMessage } from "../../testing/sample_message.ts";
import { HOSTILE_TEXTS } from "../../testing/hostile_texts.ts";
import { type Mesh, openMesh } from "../mesh.ts";
import { type Board, BoardReader, readBoard, withPeers } from "./board.ts";

/** A mesh in a directory of its own. */
class TestMesh implements Disposable {
  readonly #home = Deno.makeTempDirSync({ prefix: "signet-board-" });
  readonly mesh: Mesh = openMesh(
    { env: (name) => name === "HOME" ? this.#home : undefined, os: "linux" },
    true,
  );

  begin(harness: string, key: string, project = "/home/u/app"): SessionId {
    const id = { harness, key };
    this.mesh.sessions.begin({
      ...id,
      agentId: "me",
      url: "http://127.0.0.1:1",
      project,
      machine: "m1",
      wake: "none",
      terminal: { program: "tmux", target: "%3", server: "/tmp/s" },
    });
    return id;
  }

  read(): Board {
    return readBoard(this.mesh);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#home, { recursive: true });
  }
}

Deno.test("readBoard() of a machine without a mesh is empty, and creates nothing", () => {
  const home = Deno.makeTempDirSync({ prefix: "signet-board-" });
  try {
    const mesh = openMesh({ env: (name) => name === "HOME" ? home : undefined, os: "linux" });
    assertEquals(readBoard(mesh), {
      sessions: [],
      locks: [],
      messages: [],
      statuses: undefined,
      problems: [],
    });
    assertEquals([...Deno.readDirSync(home)], []);
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
});

Deno.test("BoardReader has changes of status, and when a message was seen", () => {
  using test = new TestMesh();
  const reader = new BoardReader(test.mesh, { statuses: 3 });
  const codex = test.begin("codex", "bbbb2222");
  const message = sampleMessage({ to: { session: codex.key } });
  test.mesh.inbox.put(codex, message);
  assertEquals(reader.read().messages[0]?.seenAt, undefined);
  test.mesh.sessions.update(codex, { status: "working" });
  const { messages } = test.mesh.inbox.take({ ...codex, agentId: "me", project: "/" }, "asked", {
    policy: "none",
  });
  test.mesh.inbox.shown(codex, messages);
  const board = reader.read();
  assert((board.messages[0]?.seenAt ?? 0) > 0);
  assertEquals(board.statuses?.map(({ status, harness, key }) => `${status} ${harness} ${key}`), [
    "starting codex bbbb2222",
    "working codex bbbb2222",
  ]);
  for (let turn = 0; turn < 10; turn++) {
    for (const status of ["idle", "working"] as const) test.mesh.sessions.update(codex, { status });
  }
  assertEquals(reader.read().statuses?.map(({ status }) => status), ["working", "idle", "working"]);
});

Deno.test("readBoard() has what each session does, its messages, and its locks", async () => {
  using test = new TestMesh();
  const claude = test.begin("claude-code", "aaaa1111");
  const codex = test.begin("codex", "bbbb2222");
  test.mesh.sessions.update(claude, { status: "working", tool: "Edit", file: "/home/u/app/a.ts" });
  test.mesh.sessions.update(codex, { status: "idle" });
  const question = sampleMessage({
    from: { agentId: "me", session: codex.key, harness: codex.harness },
    to: { session: claude.key },
    wants: "reply",
    text: "Which tests fail?",
  });
  test.mesh.inbox.put(claude, question);
  const locks = new Locks(test.mesh.dir);
  await locks.take("/home/u/app/a.ts", "/", {
    owner: { agentId: "me", harness: "claude-code", session: claude.key, machine: "m1" },
    intent: "rename fields",
  });

  const board = test.read();
  const [first, second] = board.sessions;
  assertEquals(board.sessions.length, 2);
  assertEquals([first?.handle, second?.handle], ["claude-aaaa", "codex-bbbb"]);
  assertEquals(
    [first?.status, first?.tool, first?.file, first?.unread, first?.terminal],
    ["working", "Edit", "/home/u/app/a.ts", 1, { program: "tmux", target: "%3", server: "/tmp/s" }],
  );
  assertEquals(second?.waitsFor, { kind: "answer", id: question.id, from: "claude-aaaa" });
  assertEquals(first?.lastMessage?.text, "Which tests fail?");
  assertEquals(board.messages.map(({ from, to, state }) => [from.name, to[0]?.name, state]), [
    ["codex-bbbb", "claude-aaaa", "waiting"],
  ]);
  const [lock] = board.locks;
  assertEquals(
    [lock?.path, lock?.holder, lock?.intent, lock?.remote, board.locks.length],
    ["/home/u/app/a.ts", "claude-aaaa", "rename fields", undefined, 1],
  );

  const answer = sampleMessage({
    from: { agentId: "me", session: claude.key, harness: claude.harness },
    to: { session: codex.key },
    kind: "reply",
    replyTo: question.id,
    text: "None.",
  });
  test.mesh.inbox.put(codex, answer);
  const later = test.read();
  assertEquals(later.sessions[1]?.waitsFor, undefined);
  assertEquals(later.messages.map(({ state }) => state), ["answered", "waiting"]);
});

Deno.test("readBoard() keeps the order of sessions while they work", () => {
  using test = new TestMesh();
  const ids = ["cccc", "aaaa", "bbbb"].map((key) => test.begin("codex", key));
  const before = test.read().sessions.map(({ key }) => key);
  for (const id of ids.toReversed()) test.mesh.sessions.update(id, { status: "working", tool: "Bash" });
  assertEquals(test.read().sessions.map(({ key }) => key), before);
});

Deno.test("readBoard() passes over files that are no sessions, locks or messages", () => {
  using test = new TestMesh();
  test.begin("codex", "bbbb2222");
  const { dir } = test.mesh;
  Deno.mkdirSync(`${dir}/locks/trees`, { recursive: true });
  const garbage = ["", "{", "null", "[]", '{"v":1}', "\0\0", '{"at":1e999}', "x".repeat(70_000)];
  garbage.forEach((text, i) => Deno.writeTextFileSync(`${dir}/sessions/g${i}.json`, text));
  Deno.mkdirSync(`${dir}/sessions/dir.json`);
  Deno.symlinkSync("/dev/zero", `${dir}/sessions/zero.json`);
  const session = { key: "k", harness: "codex", agentId: "a", url: "", project: "/p", machine: "m" };
  Deno.writeTextFileSync(
    `${dir}/sessions/times.json`,
    JSON.stringify(session).replace("}", ',"since":1e300}'),
  );
  Deno.writeTextFileSync(`${dir}/log.jsonl`, garbage.join("\n"));
  const board = test.read();
  assertEquals(board.sessions.map(({ key }) => key).toSorted(), ["bbbb2222", "k"]);
  for (const { since = 0 } of board.sessions) assert(!Number.isNaN(new Date(since).getTime()));
  assertEquals(board.messages, []);
});

Deno.test("readBoard() takes hostile texts as texts", () => {
  using test = new TestMesh();
  const codex = test.begin("codex", "bbbb2222");
  for (const text of HOSTILE_TEXTS) test.mesh.inbox.put(codex, sampleMessage({ text }));
  assertEquals(test.read().messages.length, HOSTILE_TEXTS.length);
});

Deno.test("BoardReader keeps the newest messages, takes up new ones, and notices a new log", () => {
  using test = new TestMesh();
  const codex = test.begin("codex", "bbbb2222");
  const put = (text: string) => test.mesh.inbox.put(codex, sampleMessage({ text }));
  for (let i = 0; i < 5; i++) put(`m${i}`);
  const reader = new BoardReader(test.mesh, { limit: 3 });
  const texts = () => reader.read().messages.map(({ text }) => text);
  assertEquals(texts(), ["m2", "m3", "m4"]);
  const { messages } = reader.read();
  assertStrictEquals(reader.read().messages, messages);
  put("m5");
  assertEquals(texts(), ["m3", "m4", "m5"]);
  // A line that is still being written.
  Deno.writeTextFileSync(`${test.mesh.dir}/log.jsonl`, '{"at":1,', { append: true });
  const unchanged = reader.read().messages;
  assertStrictEquals(reader.read().messages, unchanged);
  Deno.renameSync(`${test.mesh.dir}/log.jsonl`, `${test.mesh.dir}/log.jsonl.1`);
  put("the history has put the log aside");
  assertEquals(texts(), ["m4", "m5", "the history has put the log aside"]);
  Deno.renameSync(`${test.mesh.dir}/log.jsonl`, `${test.mesh.dir}/elsewhere`);
  put("new log");
  assertEquals(texts(), ["new log"]);
});

Deno.test("BoardReader counts what comes into an inbox that was quiet, and what goes", () => {
  using test = new TestMesh();
  const codex = test.begin("codex", "bbbb2222");
  const message = sampleMessage();
  test.mesh.inbox.put(codex, message);
  // As if nothing had happened for a while.
  const dir = test.mesh.inbox.dirOf(codex);
  for (const folder of ["new", "taken", "seen"]) Deno.utimeSync(`${dir}/${folder}`, 1000, 1000);
  const reader = new BoardReader(test.mesh);
  const unread = () => reader.read().sessions[0]?.unread;
  assertEquals([unread(), unread()], [1, 1]);
  test.mesh.inbox.put(codex, sampleMessage());
  assertEquals(unread(), 2);
  const session = { ...codex, agentId: "me", project: "/home/u/app" };
  const { messages } = test.mesh.inbox.take(session, "asked", { policy: "none" });
  assertEquals([messages.length, unread()], [2, 2]);
  test.mesh.inbox.shown(codex, messages);
  assertEquals(unread(), 0);
});

Deno.test("BoardReader reads no more than the end of a long log", () => {
  using test = new TestMesh();
  const codex = test.begin("codex", "bbbb2222");
  const put = (text: string) => test.mesh.inbox.put(codex, sampleMessage({ text }));
  for (let i = 0; i < 40; i++) put(`m${i} ${"x".repeat(1000)}`);
  const { messages } = readBoard(test.mesh, { tailBytes: 5_000 });
  assert(messages.length > 0 && messages.length < 5, String(messages.length));
  assert(messages.at(-1)?.text.startsWith("m39 "));
});

Deno.test("withPeers() adds sessions of other machines, with handles that differ from those here", () => {
  using test = new TestMesh();
  test.begin("codex", "bbbb2222");
  const peer = { harness: "codex", agentId: "you", project: "/srv/app", here: false, seenAt: 5 };
  const peers = [{ ...peer, key: "bbbb3333" }, { ...peer, key: "bbbb2222" }];
  const board = withPeers(test.read(), { peers, problems: ["One daemon is down."] });
  assertEquals(board.problems, ["One daemon is down."]);
  assertEquals(board.sessions.map(({ handle, here }) => [handle, here]), [
    ["codex-bbbb22", true],
    ["codex-bbbb33", false],
  ]);
});
