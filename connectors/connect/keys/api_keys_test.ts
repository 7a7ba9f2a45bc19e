import { assertEquals, assertThrows } from "@std/assert";
import { UserError } from "../../base/cli/command.ts";
import { EXIT } from "../../base/cli/command.ts";
import { failure } from "./admin_failure.ts";
import { expiry, permissions } from "./api_key_create.ts";
import { keyState } from "./api_key_list.ts";
import { findKey } from "./api_key_revoke.ts";
import type { ApiKey } from "./api_keys.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

Deno.test("expiry() reads a date, a time and a duration", () => {
  const cases: [string, string][] = [
    ["12h", "2026-03-02T00:00:00.000Z"],
    ["30d", "2026-03-31T12:00:00.000Z"],
    ["2w", "2026-03-15T12:00:00.000Z"],
    // A key that expires on a day is valid until the end of that day.
    ["2026-03-01", "2026-03-01T23:59:59.000Z"],
    ["2027-01-31", "2027-01-31T23:59:59.000Z"],
    ["2026-03-01T18:00:00+02:00", "2026-03-01T16:00:00.000Z"],
  ];
  for (const [text, time] of cases) assertEquals(expiry(text, NOW), time, text);
});

Deno.test("expiry() rejects invalid times and times in the past", () => {
  for (const text of ["soon", "12", "30", "30y", "-3d", "2027-13-01", "2027-02-30T00:00", "123456d"]) {
    assertThrows(() => expiry(text, NOW), UserError, "neither a date nor a duration");
  }
  for (const text of ["0d", "2026-02-28", "2026-03-01T11:59:00Z"]) {
    assertThrows(() => expiry(text, NOW), UserError, "in the past");
  }
});

function key(fields: Partial<ApiKey>): ApiKey {
  return {
    id: "11111111-0000",
    prefix: "sig_sk_aaaa1111",
    name: "laptop",
    role: "agent",
    connector: null,
    harness: null,
    agentId: null,
    allowedProjects: [],
    createdAt: "2026-01-01T00:00:00Z",
    lastUsedAt: null,
    revokedAt: null,
    expiresAt: null,
    ...fields,
  };
}

Deno.test("keyState() reports whether a key is still valid", () => {
  assertEquals(keyState(key({}), NOW), "active");
  assertEquals(keyState(key({ expiresAt: "2026-03-01T12:00:00Z" }), NOW), "expired");
  assertEquals(keyState(key({ expiresAt: "2026-03-01T12:00:01Z" }), NOW), "active");
  const both = key({ revokedAt: "2026-02-01T00:00:00Z", expiresAt: "2026-02-02T00:00:00Z" });
  assertEquals(keyState(both, NOW), "revoked");
});

Deno.test("findKey() takes an id or a prefix, with or without sig_sk_, if it is unambiguous", () => {
  const laptop = key({});
  const desk = key({ id: "22222222-0000", prefix: "sig_sk_aaaa2222", name: "desk" });
  const keys = [laptop, desk];
  for (const wanted of ["11111111-0000", "1111", "sig_sk_aaaa1111", "sig_sk_aaaa1", "aaaa1"]) {
    assertEquals(findKey(keys, wanted), laptop, wanted);
  }
  const ambiguous = assertThrows(() => findKey(keys, "aaaa"), UserError, "aaaa matches 2 keys.");
  assertEquals(ambiguous.next, "sig_sk_aaaa1111 (laptop), sig_sk_aaaa2222 (desk)");
  assertThrows(() => findKey(keys, "sig_sk_"), UserError, "matches 2 keys");
  assertThrows(() => findKey(keys, "none"), UserError, "No key has the id or prefix none.");
});

Deno.test("findKey() prefers an exact prefix over a longer one", () => {
  const short = key({ prefix: "sig_sk_ab" });
  const long = key({ id: "2", prefix: "sig_sk_abc" });
  assertEquals(findKey([long, short], "sig_sk_ab"), short);
});

Deno.test("findKey() takes the ids and prefixes of Signet 0.145", () => {
  const real = key({ id: "key_o8EPMOuMUKZyp1TQ", prefix: "bb5f25abc159" });
  for (const wanted of ["key_o8EPMOuMUKZyp1TQ", "bb5f25abc159", "bb5f"]) {
    assertEquals(findKey([key({}), real], wanted), real, wanted);
  }
});

Deno.test("permissions() asks for what the tools need, unless it is narrowed or the role decides", () => {
  const all = ["recall", "remember", "modify", "forget", "documents"];
  assertEquals(permissions(undefined, { role: "agent", connector: "pi" }), all);
  assertEquals(permissions(undefined, { role: "agent", connector: undefined }), undefined);
  assertEquals(permissions(undefined, { role: "readonly", connector: "pi" }), undefined);
  assertEquals(permissions("recall, remember", { role: "agent", connector: "pi" }), ["recall", "remember"]);
  for (const text of ["", ",", "recal", "recall,fly"]) {
    assertThrows(() => permissions(text, { role: "agent", connector: "pi" }), UserError, "permission");
  }
});

Deno.test("failure() tells the admin limiter from a key that is not an admin's", () => {
  const url = "http://127.0.0.1:3850";
  const http = (status: number, json: boolean, retryAfterMs?: number) =>
    failure({ kind: "http", status, json, retryAfterMs, ms: 1 }, url, "list keys");
  const limited = http(500, false, 60_000);
  assertEquals([limited.code, limited.next], [
    EXIT.failed,
    "The daemon limits admin requests: wait a minute and try again.",
  ]);
  const refused = http(500, false);
  assertEquals([refused.code, refused.next?.startsWith("The key may not be an admin's.")], [EXIT.key, true]);
  assertEquals(http(403, true).code, EXIT.key);
  assertEquals(http(404, false).next, "Signet 0.58 has no API keys: install without one.");
  assertEquals(http(500, true).next, undefined);
});
