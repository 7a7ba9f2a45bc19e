import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { sampleMessage } from "../../../connectors/base/testing/sample_message.ts";
import { Inbox } from "./inbox.ts";
import type { Message } from "./message.ts";
import { newMessageId } from "./message_id.ts";
import { DEFAULT_POLICY } from "./policy.ts";
import { inOrder, isDue, type Moment, withinLimits } from "./select.ts";
import { hasWaiting } from "./waiting.ts";

const SESSION = { harness: "claude-code", key: "s-receiver", agentId: "work", project: "/home/u/app" };

async function scratch(): Promise<{ dir: string; inbox: Inbox; clock: { now: number } } & AsyncDisposable> {
  const dir = await Deno.makeTempDir();
  const clock = { now: Date.now() };
  return {
    dir,
    clock,
    inbox: new Inbox(dir, () => clock.now),
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}

/** Messages in the order in which they were sent. */
function sent(...changes: Partial<Message>[]): Message[] {
  return changes.map((change) => sampleMessage({ id: newMessageId(), ...change }));
}

function texts({ messages }: { messages: readonly Message[] }): string[] {
  return messages.map(({ text }) => text);
}

Deno.test("Inbox shows a message once, however often it arrives", async () => {
  await using world = await scratch();
  const { inbox, dir } = world;
  assertEquals(hasWaiting(dir, SESSION.harness, SESSION.key), false);
  const [message] = sent({});
  assert(message);
  assertEquals(inbox.put(SESSION, message), "new");
  assertEquals(inbox.put(SESSION, message), "duplicate");
  assertEquals(hasWaiting(dir, SESSION.harness, SESSION.key), true);
  const taken = inbox.take(SESSION, "post-tool");
  assertEquals(texts(taken), ["hello"]);
  assertEquals(taken.messages[0]?.again, false);
  assertEquals(inbox.put(SESSION, message), "duplicate");
  assertEquals(texts(inbox.take(SESSION, "post-tool")), []);
  inbox.shown(SESSION, taken.messages);
  assertEquals(inbox.put(SESSION, message), "duplicate");
  assertEquals(inbox.count(SESSION), { waiting: 0, held: 0 });
  assertEquals(hasWaiting(dir, SESSION.harness, SESSION.key), false);
});

Deno.test("Inbox gives a claim that was not confirmed back after 30 s, marked as repeated", async () => {
  await using world = await scratch();
  const { inbox, clock } = world;
  const [message] = sent({});
  assert(message);
  inbox.put(SESSION, message);
  inbox.take(SESSION, "post-tool");
  clock.now += 29_000;
  assertEquals(texts(inbox.take(SESSION, "post-tool")), []);
  clock.now += 2_000;
  const [again] = inbox.take(SESSION, "post-tool").messages;
  assertEquals(again?.again, true);
  inbox.shown(SESSION, [message]);
  clock.now += 60_000;
  assertEquals(texts(inbox.take(SESSION, "asked")), []);
});

Deno.test("Inbox drops a second copy that arrives in the moment of the claim", async () => {
  await using world = await scratch();
  const { inbox } = world;
  const [message] = sent({});
  assert(message);
  inbox.put(SESSION, message);
  inbox.take(SESSION, "post-tool");
  // `put` looked before the claim and wrote after it.
  const name = `${message.id}-3.json`;
  await Deno.writeTextFile(`${inbox.dirOf(SESSION)}/new/${name}`, JSON.stringify(message));
  assertEquals(texts(inbox.take(SESSION, "post-tool")), []);
  inbox.shown(SESSION, [message]);
  assertEquals(texts(inbox.take(SESSION, "post-tool")), []);
  assertEquals(inbox.count(SESSION).waiting, 0);
});

Deno.test("Inbox shows each priority at its moment", async () => {
  const cases = [
    ["pre-tool", [4, 5]],
    ["post-tool", [3, 4, 5]],
    ["idle", [3, 4, 5]],
    ["turn-end", [2, 3, 4, 5]],
    ["prompt", [1, 2, 3, 4, 5]],
  ] as const;
  for (const [moment, priorities] of cases) {
    await using world = await scratch();
    for (const priority of [1, 2, 3, 4, 5] as const) {
      world.inbox.put(SESSION, sampleMessage({ id: newMessageId(), priority }));
    }
    const { messages, rest } = world.inbox.take(SESSION, moment);
    assertEquals(messages.map(({ priority }) => priority), [...priorities], moment);
    assertEquals(rest, 0);
  }
});

Deno.test("Inbox keeps the order of each sender, and lets an urgent sender go first", async () => {
  await using world = await scratch();
  const other = { agentId: "work", harness: "pi", session: "s-2", cwd: "app" };
  for (
    const message of sent(
      { text: "a1" },
      { text: "b1", from: other },
      { text: "b2", from: other, priority: 4 },
      { text: "a2" },
    )
  ) world.inbox.put(SESSION, message);
  assertEquals(texts(world.inbox.take(SESSION, "prompt")), ["b1", "b2", "a1", "a2"]);
});

Deno.test("Inbox gives five messages or 6,000 characters at once, and counts the rest", async () => {
  await using world = await scratch();
  const { inbox } = world;
  for (let i = 0; i < 7; i++) inbox.put(SESSION, sampleMessage({ text: `n${i}` }));
  const first = inbox.take(SESSION, "post-tool");
  assertEquals([texts(first).length, first.rest], [5, 2]);
  assertEquals(texts(inbox.take(SESSION, "post-tool")), ["n5", "n6"]);
  for (let i = 0; i < 3; i++) inbox.put(SESSION, sampleMessage({ text: "x".repeat(4_000) }));
  assertEquals(inbox.take(SESSION, "post-tool").messages.length, 1);
});

Deno.test("Inbox does not show what is expired, and reports it", async () => {
  await using world = await scratch();
  const { inbox, clock } = world;
  inbox.put(SESSION, sampleMessage({ ttl: 10 }));
  clock.now += 11_000;
  const taken = inbox.take(SESSION, "prompt");
  assertEquals([taken.messages.length, taken.expired.length], [0, 1]);
  assertEquals(inbox.count(SESSION).waiting, 0);
});

Deno.test("Inbox gives a new session a count of the messages that are older than an hour", async () => {
  await using world = await scratch();
  const { inbox, clock } = world;
  inbox.put(SESSION, sampleMessage({ at: clock.now - 3_700_000, ttl: 86_400, text: "old" }));
  inbox.put(SESSION, sampleMessage({ text: "fresh" }));
  const start = inbox.take(SESSION, "start");
  assertEquals([texts(start), start.older], [["fresh"], 1]);
  assertEquals(texts(inbox.take(SESSION, "asked")), ["old"]);
});

Deno.test("Inbox holds messages from other projects until the policy allows them", async () => {
  await using world = await scratch();
  const { inbox } = world;
  inbox.put(SESSION, sampleMessage({ from: { agentId: "stranger", cwd: "elsewhere" }, text: "psst" }));
  const taken = inbox.take(SESSION, "post-tool");
  assertEquals([texts(taken), taken.held], [[], 1]);
  assertEquals(inbox.count(SESSION), { waiting: 0, held: 1 });
  assertEquals(inbox.take(SESSION, "post-tool").held, 0);
  const policy = { ...DEFAULT_POLICY, allow: ["stranger"] };
  assertEquals(texts(inbox.take(SESSION, "prompt", { policy })), ["psst"]);
});

Deno.test("Inbox believes neither an unverified agent id nor a stop without the right to it", async () => {
  await using world = await scratch();
  const { inbox } = world;
  inbox.put(SESSION, sampleMessage({ from: { agentId: "work", cwd: "elsewhere" }, verified: false }));
  assertEquals(inbox.take(SESSION, "post-tool").held, 1);
  inbox.put(SESSION, sampleMessage({ from: { agentId: "peer", cwd: "app" }, priority: 5 }));
  const [taken] = inbox.take(SESSION, "pre-tool").messages;
  assertEquals(taken?.priority, 4);
  inbox.shown(SESSION, taken ? [taken] : []);
  assertEquals(inbox.count(SESSION).waiting, 0);
});

Deno.test("Inbox slows a sender down after ten messages in a minute and twenty in ten", async () => {
  await using world = await scratch();
  const { inbox, clock } = world;
  const takeAll = () => {
    let total = 0;
    for (;;) {
      const { messages } = inbox.take(SESSION, "post-tool");
      if (messages.length === 0) return total;
      inbox.shown(SESSION, messages);
      total += messages.length;
    }
  };
  for (let i = 0; i < 40; i++) inbox.put(SESSION, sampleMessage({ ttl: 86_400 }));
  assertEquals(takeAll(), 10);
  clock.now += 61_000;
  assertEquals(takeAll(), 10);
  clock.now += 61_000;
  assertEquals(takeAll(), 0);
  clock.now += 600_000;
  assertEquals(takeAll(), 10);
  assertEquals(inbox.count(SESSION), { waiting: 10, held: 0 });
});

Deno.test("Inbox holds a message that more than eight agents passed on", async () => {
  await using world = await scratch();
  world.inbox.put(SESSION, sampleMessage({ hop: 9 }));
  world.inbox.put(SESSION, sampleMessage({ hop: 8 }));
  const taken = world.inbox.take(SESSION, "post-tool");
  assertEquals([taken.messages.length, taken.held], [1, 1]);
});

Deno.test("Inbox keeps receipts away from the model", async () => {
  await using world = await scratch();
  const { inbox } = world;
  inbox.put(SESSION, sampleMessage({ kind: "receipt", receipt: "seen" }));
  assertEquals(texts(inbox.take(SESSION, "asked")), []);
  assertEquals(inbox.takeReceipts(SESSION).map(({ receipt }) => receipt), ["seen"]);
  assertEquals(inbox.takeReceipts(SESSION), []);
});

Deno.test("Inbox refuses more than 10,000 messages and loses none of them", async () => {
  await using world = await scratch();
  const { inbox } = world;
  const dir = `${inbox.dirOf(SESSION)}/new`;
  await Deno.mkdir(dir, { recursive: true });
  for (let i = 0; i < 10_000; i++) Deno.writeTextFileSync(`${dir}/${newMessageId()}-1.json`, "{}");
  assertEquals(inbox.put(SESSION, sampleMessage()), "full");
  assertEquals(inbox.count(SESSION).waiting, 10_000);
  // Nothing of it is due, so nothing of it is read.
  assertEquals(texts(inbox.take(SESSION, "post-tool")), []);
  assertEquals(inbox.count(SESSION).waiting, 10_000);
});

Deno.test("Inbox removes a file that is no message", async () => {
  await using world = await scratch();
  const { inbox } = world;
  inbox.put(SESSION, sampleMessage({ text: "good" }));
  await Deno.writeTextFile(`${inbox.dirOf(SESSION)}/new/${newMessageId()}-3.json`, "{half");
  assertEquals(texts(inbox.take(SESSION, "post-tool")), ["good"]);
  assertEquals(inbox.count(SESSION).waiting, 1);
});

Deno.test("Inbox.take() reads no more files than it needs to choose the next messages", async () => {
  await using world = await scratch();
  const { inbox } = world;
  for (const message of sent(...Array.from({ length: 7 }, (_, i) => ({ text: `${i}` })))) {
    inbox.put(SESSION, message);
  }
  // A file that is read and does not parse is removed.
  const late = Array.from({ length: 300 }, () => `${inbox.dirOf(SESSION)}/new/${newMessageId()}-3.json`);
  for (const path of late) await Deno.writeTextFile(path, "{");
  const taken = inbox.take(SESSION, "post-tool");
  assertEquals(texts(taken), ["0", "1", "2", "3", "4"]);
  assertEquals(taken.rest, 302);
  for (const path of late) assert((await Deno.stat(path)).isFile);
});

Deno.test("Inbox.take() takes the first messages of the whole inbox, whatever it does not read", async () => {
  const drafts = fc.array(
    fc.record({
      sender: fc.integer({ min: 0, max: 3 }),
      priority: fc.constantFrom<Message["priority"]>(1, 2, 3, 3, 3, 4, 5),
      text: fc.string({ maxLength: 12 }),
    }),
    { maxLength: 25 },
  );
  const moments = fc.constantFrom<Moment>("prompt", "pre-tool", "post-tool", "turn-end");
  const limits = fc.record({
    messages: fc.integer({ min: 1, max: 5 }),
    chars: fc.integer({ min: 1, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(drafts, moments, limits, async (made, moment, limit) => {
      await using world = await scratch();
      const messages = made.map(({ sender, priority, text }) =>
        sampleMessage({ priority, text, from: { agentId: "other", session: `s${sender}`, cwd: "app" } })
      );
      for (const message of messages) world.inbox.put(SESSION, message);
      // None of them may stop the session.
      const due = messages.filter(({ priority }) => isDue(priority, moment))
        .map((message): Message => message.priority === 5 ? { ...message, priority: 4 } : message);
      const { messages: taken, rest } = world.inbox.take(SESSION, moment, { limits: limit });
      const expected = withinLimits(inOrder(due), limit);
      assertEquals(taken.map(({ id }) => id), expected.map(({ id }) => id));
      assertEquals(rest, due.length - expected.length);
    }),
    { numRuns: 60 },
  );
});
