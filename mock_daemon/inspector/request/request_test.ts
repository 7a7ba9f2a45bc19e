import { assertEquals } from "@std/assert";
import { called, failed, passes, sessionName } from "./request.js";

const NONE = { agent: "", harness: "", event: "", show: "", session: "", text: "" };
const entry = {
  id: 1,
  method: "POST",
  path: "/api/hooks/session-end",
  event: "session-end",
  harness: "pi",
  agent: "bob",
  sessionKey: "s1",
  status: 200,
  outcome: "ok",
  warnings: ["oops is ignored; unknown field"],
};

Deno.test("passes() applies each filter", () => {
  const cases: [Record<string, string>, boolean][] = [
    [{}, true],
    [{ agent: "bob" }, true],
    [{ agent: "alice" }, false],
    [{ harness: "codex" }, false],
    [{ event: "session-end" }, true],
    [{ event: "other" }, false],
    [{ show: "warned" }, true],
    [{ show: "failed" }, false],
    [{ show: "replayed" }, false],
    [{ show: "a word from a mistyped link" }, true],
    [{ session: "pi bob s1" }, true],
    [{ session: "pi alice s1" }, false],
    [{ text: " OOPS " }, true],
    [{ text: "nothing like it" }, false],
  ];
  for (const [filter, expected] of cases) {
    assertEquals(passes(entry, { ...NONE, ...filter }), expected, JSON.stringify(filter));
  }
  assertEquals(passes({ ...entry, status: 503 }, { ...NONE, show: "failed" }), true);
  assertEquals(passes({ ...entry, replayOf: 3 }, { ...NONE, show: "replayed" }), true);
});

Deno.test("failed() counts what a client did not get, and not a delay", () => {
  assertEquals(
    [{}, { status: 404 }, { fault: "reset" }, { fault: "delay" }].map((part) =>
      failed({ ...entry, ...part })
    ),
    [false, true, true, false],
  );
});

Deno.test("called() is the event, or the path of another call", () => {
  assertEquals(called(entry), "session-end");
  assertEquals(called({ method: "POST", path: "/api/memory/recall" }), "memory/recall");
  assertEquals(called({ method: "GET", path: "/health" }), "GET /health");
  assertEquals(sessionName({ agent: "bob" }), undefined);
});
