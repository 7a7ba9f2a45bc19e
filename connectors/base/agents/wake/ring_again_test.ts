import { assertEquals } from "@std/assert";
import { Inbox } from "../../../../hooks/agents/messages/inbox.ts";
import { newMessageId } from "../../../../hooks/agents/messages/message_id.ts";
import { type AgentSession, AgentSessions } from "../../../../hooks/agents/sessions/session.ts";
import { noteWoken } from "../../../../hooks/agents/wake/woken.ts";
import { sampleMessage } from "../../testing/sample_message.ts";
import { RingAgain } from "./ring_again.ts";

const SESSION = { harness: "codex", key: "c0de0000" };

/** A session on a machine whose clock the test moves. */
async function machine(wake: AgentSession["wake"], status: AgentSession["status"] = "idle") {
  const dir = await Deno.makeTempDir();
  const sessions = new AgentSessions(dir);
  sessions.begin({ ...SESSION, agentId: "work", url: "", project: "/home/u/app", machine: "m1", wake });
  sessions.update(SESSION, { status });
  let late = 0;
  const rung: string[] = [];
  const server = () =>
    new RingAgain(dir, { now: () => Date.now() + late, ring: ({ key }) => rung.push(key) });
  const servers = [server(), server()];
  return {
    dir,
    sessions,
    inbox: new Inbox(dir),
    put: (priority: 2 | 3 | 4 | 5) =>
      new Inbox(dir).put(
        SESSION,
        sampleMessage({ id: newMessageId(), priority, to: { session: SESSION.key } }),
      ),
    /** How often two servers ring when they look so many ms after the test began. */
    after(ms: number): number {
      late = ms;
      const before = rung.length;
      for (const each of [...servers, ...servers]) each.look();
      return rung.length - before;
    },
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}

const MINUTE = 60_000;
/** A slow machine may need this long for a step of a test. */
const LATER = 3_600_000;

Deno.test("RingAgain rings once more for an urgent message after a minute, whoever looks", async () => {
  await using world = await machine("queue");
  world.put(4);
  assertEquals(world.after(-LATER), 0);
  assertEquals(world.after(MINUTE), 1);
  assertEquals(world.after(2 * MINUTE), 0, "once");
  world.put(5);
  assertEquals(world.after(3 * MINUTE), 1, "another message");
});

Deno.test("RingAgain leaves normal messages, read ones and busy sessions alone", async () => {
  await using world = await machine("none");
  world.put(3);
  assertEquals(world.after(2 * MINUTE), 0, "normal");
  world.put(4);
  world.sessions.update(SESSION, { status: "working" });
  assertEquals(world.after(2 * MINUTE), 0, "busy");
  world.sessions.update(SESSION, { status: "idle" });
  const session = world.sessions.get(SESSION);
  const { messages } = world.inbox.take({ ...SESSION, agentId: "work", project: "/home/u/app" }, "asked", {
    policy: "none",
  });
  world.inbox.shown(session ?? SESSION, messages);
  assertEquals([messages.length, world.after(2 * MINUTE)], [2, 0], "read");
});

Deno.test("RingAgain rings for a message whose hook was killed before it showed it", async () => {
  await using world = await machine("queue");
  world.put(3);
  const session = { ...SESSION, agentId: "work", project: "/home/u/app" };
  assertEquals(world.inbox.take(session, "prompt").messages.length, 1);
  assertEquals(world.after(LATER), 1);
  assertEquals(world.after(LATER + MINUTE), 0, "once");
  const [again] = world.inbox.take(session, "prompt").messages;
  assertEquals(again?.again, true);
});

Deno.test("RingAgain rings for a session whose turn has ended without a word", async () => {
  await using world = await machine("queue", "working");
  world.put(2);
  assertEquals(world.after(LATER), 0, "this does not wake anybody");
  world.put(3);
  assertEquals(world.after(-LATER), 0, "it works");
  assertEquals(world.after(2 * MINUTE), 1);
  world.put(3);
  assertEquals(world.after(4 * MINUTE), 0, "once, however many messages wait");
  new AgentSessions(world.dir, () => Date.now() + LATER).touch(SESSION);
  assertEquals(world.after(LATER + MINUTE), 0, "a hook has run");
  assertEquals(world.after(2 * LATER), 1);
});

Deno.test("RingAgain lets a tool take its time, and leaves a session alone that it cannot wake", async () => {
  await using busy = await machine("queue", "working");
  busy.sessions.update(SESSION, { status: "working", tool: "Bash" });
  busy.put(3);
  assertEquals(busy.after(10 * MINUTE), 0);
  assertEquals(busy.after(LATER), 1, "a tool of an interrupted turn has no end");
  await using other = await machine("none", "working");
  other.put(3);
  assertEquals(other.after(LATER), 0);
});

Deno.test("RingAgain leaves sessions to their plugin, and those that are gone", async () => {
  await using plugin = await machine("plugin");
  plugin.put(5);
  assertEquals(plugin.after(2 * MINUTE), 0);
  await using silent = await machine("queue");
  silent.put(4);
  assertEquals(silent.after(48 * LATER), 0);
});

Deno.test("RingAgain rings for a session that its waiter woke, and that has run no hook since", async () => {
  await using world = await machine("hook", "working");
  assertEquals(world.after(2 * MINUTE), 0, "nobody woke it");
  noteWoken(world.dir, world.sessions, SESSION);
  assertEquals(world.after(-LATER), 0);
  assertEquals(world.after(MINUTE), 1);
  assertEquals(world.after(2 * MINUTE), 0, "once");
  // A later hook dates the session's file.
  noteWoken(world.dir, world.sessions, SESSION);
  new AgentSessions(world.dir, () => Date.now() + 5).touch(SESSION);
  assertEquals(world.after(3 * MINUTE), 0);
});

Deno.test("RingAgain does not throw where the directory of the mesh is gone", async () => {
  const world = await machine("queue");
  world.put(4);
  await world[Symbol.asyncDispose]();
  assertEquals(world.after(2 * MINUTE), 0);
});
