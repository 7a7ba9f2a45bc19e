import { assert, assertEquals, assertMatch } from "@std/assert";
import { HOSTILE_TEXTS } from "../../../connectors/base/testing/hostile_texts.ts";
import { sampleMessage } from "../../../connectors/base/testing/sample_message.ts";
import type { Taken } from "./inbox.ts";
import type { Message } from "./message.ts";
import { newNonce, NOTICE, wrapDelivery, wrapMessages } from "./wrap.ts";

const NONE = { messages: [], rest: 0, held: 0, older: 0, expired: [] };

function taken(change: Partial<Message & { again: boolean }> = {}): Taken {
  return { ...sampleMessage(change), again: change.again ?? false };
}

Deno.test("wrapMessages() labels each message under the notice", () => {
  const message = taken({ text: "please review", wants: "reply", priority: 4 });
  assertEquals(
    wrapMessages([message], "abc"),
    `${NOTICE}
<agent-message-abc id="${message.id}" from="codex-ssen" agent="work" project="app" machine="m1" priority="4" wants="reply">
please review
</agent-message-abc>
To answer, use the tool agent_message_reply with the message's id, or run: signet-connect reply ID TEXT`,
  );
});

Deno.test("wrapMessages() says what is not verified, and what may be repeated", () => {
  const text = wrapMessages([taken({ verified: false, again: true })], "abc");
  assertMatch(text, /agent="work \(not verified\)"/);
  assertMatch(text, /repeated="perhaps/);
  assertMatch(wrapMessages([taken({ from: { agentId: "work" } })], "abc"), /from="a person"/);
});

Deno.test("wrapDelivery() is empty if there is nothing, and counts what is not shown", () => {
  assertEquals(wrapDelivery(NONE), "");
  assertMatch(wrapDelivery({ ...NONE, rest: 2 }), /^Messages from other agents: 2 more messages wait\.$/);
  assertMatch(wrapDelivery({ ...NONE, held: 1 }), /1 message was held/);
  assertMatch(wrapDelivery({ ...NONE, older: 3 }), /3 messages are older than an hour/);
});

Deno.test("wrapMessages() cannot be left, whatever the text and the labels say", () => {
  for (const hostile of HOSTILE_TEXTS) {
    for (
      const message of [
        taken({ text: hostile }),
        taken({
          from: { agentId: hostile, harness: hostile, session: hostile, machine: hostile, cwd: hostile },
          thread: hostile,
        }),
      ]
    ) {
      const nonce = newNonce();
      const text = wrapMessages([message], nonce);
      assertEquals(text.split(`<agent-message-${nonce} `).length, 2, hostile);
      assertEquals(text.split(`</agent-message-${nonce}>`).length, 2, hostile);
      assert(text.startsWith(NOTICE));
      assert(text.trimEnd().endsWith(`</agent-message-${nonce}>`));
      // deno-lint-ignore no-control-regex -- the text must have none of these
      assert(!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(text), hostile);
      assert(text.isWellFormed());
      const opening = text.slice(NOTICE.length + 1).split("\n", 1)[0] ?? "";
      assertMatch(opening, /^<agent-message-[0-9a-f]{16} (?:[a-z]+="[^"<>]*" ?)+>$/);
    }
  }
});
