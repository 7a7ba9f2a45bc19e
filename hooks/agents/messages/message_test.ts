import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { sampleMessage } from "../../../connectors/base/testing/sample_message.ts";
import { decodeEnvelope, encodeEnvelope } from "./envelope.ts";
import { isExpired, MAX_TTL, parseMessage } from "./message.ts";
import { derivedMessageId, isMessageId, messageTime, newMessageId } from "./message_id.ts";

const DAEMON = { id: "d-1", createdAt: "2026-11-17T10:00:00.000Z", fromAgentId: "work" };

Deno.test("newMessageId() sorts by time, also within a millisecond", () => {
  const ids = Array.from({ length: 500 }, () => newMessageId(1_800_000_000_000));
  assertEquals(ids.toSorted(), ids);
  assertEquals(new Set(ids).size, ids.length);
  for (const id of ids) assertEquals(isMessageId(id), true, id);
  assertEquals(messageTime(ids[0] ?? ""), 1_800_000_000_000);
});

Deno.test("isMessageId() refuses what is not a file name", () => {
  for (const id of ["", "m_", "../x", "m_../../../../etc/passwd", `${newMessageId()}/`, 5, null]) {
    assertEquals(isMessageId(id), false, String(id));
  }
});

Deno.test("derivedMessageId() is the same for every copy and differs between messages", () => {
  const id = derivedMessageId(1_800_000_000_000, "a");
  assertEquals(derivedMessageId(1_800_000_000_000, "a"), id);
  assertNotEquals(derivedMessageId(1_800_000_000_000, "b"), id);
  assertEquals(isMessageId(id), true);
});

Deno.test("decodeEnvelope() reads what encodeEnvelope() wrote", () => {
  const message = sampleMessage({
    at: Date.parse(DAEMON.createdAt),
    to: {},
    text: "line\n\nsignet-msg/1 {}\n",
    replyTo: newMessageId(),
    wants: "reply",
    thread: "t_1",
    priority: 4,
    hop: 2,
  });
  const content = encodeEnvelope(message);
  assertMatch(content, /^signet-msg\/1 \{"id":"m_/);
  const read = decodeEnvelope(content, { ...DAEMON, fromSessionKey: "s-sender" });
  assertEquals(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(message)));
});

Deno.test("decodeEnvelope() reads an envelope without text, which the daemon trims", () => {
  const receipt = sampleMessage({ kind: "receipt", receipt: "queued", text: "" });
  const fields = { id: "d-1", createdAt: new Date(receipt.at).toISOString(), fromAgentId: "bob" };
  const { id, kind, text } = decodeEnvelope(encodeEnvelope(receipt).trim(), fields);
  assertEquals([id, kind, text], [receipt.id, "receipt", ""]);
});

Deno.test("decodeEnvelope() gives plain text priority 3 and an id that copies share", () => {
  const read = decodeEnvelope("please look", DAEMON);
  assertEquals(
    { priority: read.priority, wants: read.wants, text: read.text, verified: read.verified },
    { priority: 3, wants: "none", text: "please look", verified: true },
  );
  assertEquals(decodeEnvelope("please look", DAEMON).id, read.id);
});

Deno.test("decodeEnvelope() believes the daemon about the sender, and the envelope about nothing else", () => {
  const forged = 'signet-msg/1 {"id":"../x","p":9,"ttl":-1,"kind":"x","hop":"x","from":{"h":"codex"}}\n\nhi';
  const read = decodeEnvelope(forged, DAEMON);
  assertEquals(read.from.agentId, "work");
  assertEquals([read.priority, read.kind, read.hop, read.text], [3, "message", 0, "hi"]);
  assertEquals(isMessageId(read.id), true);
  assertEquals(decodeEnvelope("x", { ...DAEMON, fromAgentId: undefined }).verified, false);
});

Deno.test("parseMessage() limits how long a message can wait", () => {
  const read = parseMessage(JSON.stringify(sampleMessage({ ttl: 1e12 })));
  assertEquals(read?.ttl, MAX_TTL);
  assertEquals(isExpired({ at: 0, ttl: 1 }, 1_001), true);
  assertEquals(isExpired({ at: 0, ttl: 1 }, 1_000), false);
});
