import { assertEquals } from "@std/assert";
import { budgetMs, Deadline } from "./budget.ts";
import type { EventName } from "./event.ts";

const PROFILE = {
  events: {
    "session-start": { native: "s", timeoutMs: 5000 },
    "user-prompt-submit": { native: "p", timeoutMs: 4000 },
    "session-end": { native: "e", timeoutMs: 1500 },
    "pre-compaction": { native: "c", timeoutMs: 60_000 },
  },
};

Deno.test("budgetMs() stays below the harness's timeout, whatever the environment sets", () => {
  const cases: [EventName, Record<string, string>, number][] = [
    ["session-start", {}, 2500],
    ["user-prompt-submit", {}, 2000],
    ["session-end", {}, 1000],
    ["session-end", { SIGNET_FETCH_TIMEOUT: "100" }, 1000],
    ["pre-compaction", {}, 4000],
    ["pre-compaction", { SIGNET_FETCH_TIMEOUT: "1200" }, 1200],
    ["checkpoint", { SIGNET_FETCH_TIMEOUT: "700" }, 700],
    ["session-start", { SIGNET_SESSION_START_TIMEOUT: "800" }, 800],
    ["session-start", { SIGNET_SESSION_START_TIMEOUT: "120000" }, 4500],
    ["session-start", { SIGNET_FETCH_TIMEOUT: "1200" }, 1200],
    ["session-start", { SIGNET_SESSION_START_TIMEOUT: "900", SIGNET_FETCH_TIMEOUT: "1200" }, 900],
    ["user-prompt-submit", { SIGNET_PROMPT_SUBMIT_TIMEOUT: "700" }, 700],
    ["user-prompt-submit", { SIGNET_SESSION_START_TIMEOUT: "700" }, 2000],
    ["session-start", { SIGNET_SESSION_START_TIMEOUT: "5" }, 2500],
    ["session-start", { SIGNET_SESSION_START_TIMEOUT: "fast" }, 2500],
    ["session-start", { SIGNET_SESSION_START_TIMEOUT: "-1" }, 2500],
    ["checkpoint", {}, 1500],
  ];
  for (const [event, env, expected] of cases) {
    assertEquals(
      Math.round(budgetMs(PROFILE, event, (name) => env[name])),
      expected,
      `${event} ${JSON.stringify(env)}`,
    );
  }
});

Deno.test("Deadline counts down to nothing", () => {
  let now = 10;
  const deadline = new Deadline(100, () => now);
  assertEquals(deadline.left(), 90);
  now = 500;
  assertEquals(deadline.left(), 0);
});
