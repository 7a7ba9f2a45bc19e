import { assert, assertEquals } from "@std/assert";
import { findSession, type Named, uniqueHandle } from "./lookup.ts";

const CODEX_A = {
  key: "019a8f3e-7b1c-7d2e-9f00-3f9a00c0ffee",
  harness: "codex",
  agentId: "laptop",
  project: "/home/u/app",
};
const CODEX_B = {
  key: "019a8f3e-7b1d-7d2e-9f00-77e100c0ffee",
  harness: "codex",
  agentId: "laptop",
  project: "/home/u/site",
};
const CLAUDE = {
  key: "c1a0de00-1111-4222-8333-444455556666",
  harness: "claude-code",
  agentId: "reviewer",
  project: "/home/u/app",
};
const OPENCODE = {
  key: "ses_4f3e2d1c0ffe0ABCDEFGHIJKLMN",
  harness: "opencode",
  agentId: "oc",
  project: "/home/u/app",
};
const LIVE: Named[] = [CODEX_A, CODEX_B, CLAUDE, OPENCODE];
const HARNESSES = ["codex", "claude-code", "opencode", "gemini", "pi"];

/** What a handle names, in one word. */
function name(handle: string, live = LIVE, self?: string): string {
  const lookup = findSession(live, handle, { harnesses: HARNESSES, agents: ["away"], self });
  switch (lookup.kind) {
    case "session":
      return lookup.session.key;
    case "ambiguous":
      return `ambiguous ${lookup.candidates.length}`;
    case "nobody":
      return `nobody ${lookup.harness ?? lookup.agentId}`;
    case "unknown":
      return "unknown";
  }
}

Deno.test("findSession() follows the order: key, agent, mark, harness, project", () => {
  const cases: [string, string][] = [
    [CODEX_A.key, CODEX_A.key],
    ["reviewer", CLAUDE.key],
    ["laptop", "ambiguous 2"],
    ["codex-3f9a", CODEX_A.key],
    ["codex-77e1", CODEX_B.key],
    ["@codex-77e1", CODEX_B.key],
    ["codex-77", "unknown"],
    ["codex-019a8f3e-7b1c", CODEX_A.key],
    ["codex-019a", "ambiguous 2"],
    ["claude-code-c1a0", CLAUDE.key],
    ["claude-c1a0de00", CLAUDE.key],
    ["Claude-C1A0", CLAUDE.key],
    ["Codex@app", CODEX_A.key],
    ["claude", CLAUDE.key],
    ["claude-code", CLAUDE.key],
    ["codex", "ambiguous 2"],
    ["codex@app", CODEX_A.key],
    ["codex@site", CODEX_B.key],
    ["codex@/home/u/site", CODEX_B.key],
    ["codex@nowhere", "nobody codex"],
    ["codex@", "nobody codex"],
    ["gemini", "nobody gemini"],
    ["away", "nobody away"],
    ["nobody-knows", "unknown"],
    ["", "unknown"],
    ["@", "unknown"],
  ];
  for (const [handle, expected] of cases) assertEquals(name(handle), expected, handle);
});

Deno.test("findSession() takes a harness name for the other session, seen from one of two", () => {
  assertEquals(name("codex", LIVE, CODEX_A.key), CODEX_B.key);
  assertEquals(name("codex", [CODEX_A], CODEX_A.key), CODEX_A.key);
  assertEquals(name("codex", LIVE, CLAUDE.key), "ambiguous 2");
});

Deno.test("findSession() prefers an exact agent id to a harness of the same name", () => {
  const agent = { ...CLAUDE, agentId: "codex" };
  assertEquals(name("codex", [CODEX_A, agent]), agent.key);
});

Deno.test("uniqueHandle() gives each live session a handle that names it and no other", () => {
  const same = [1, 2, 3].map((n) => ({ ...CLAUDE, key: `c1a0de00-1111-4222-8333-44445555666${n}` }));
  const odd = ["a", "agent:main:main", "x/y", "agent:sub:main", "ses_short", "_", "ünï"].map((key) => ({
    ...CLAUDE,
    key,
    harness: "pi",
  }));
  const live = [...LIVE, ...same, ...odd];
  const handles = live.map((session) => uniqueHandle(session, live));
  assertEquals(new Set(handles).size, live.length, handles.join(" "));
  live.forEach((session, i) => {
    assertEquals(name(handles[i] ?? "", live), session.key, handles[i]);
  });
  assertEquals(handles.slice(0, 3), ["codex-3f9a", "codex-77e1", handles[2]]);
  assertEquals(uniqueHandle(CLAUDE, LIVE), "claude-c1a0");
});

Deno.test("uniqueHandle() names random sessions uniquely, whatever their keys are", () => {
  for (let round = 0; round < 50; round++) {
    const live = Array.from({ length: 20 }, () => ({ ...CODEX_A, key: crypto.randomUUID() }));
    for (const session of live) {
      const handle = uniqueHandle(session, live);
      assert(handle.length >= "codex-".length + 4, handle);
      assertEquals(name(handle, live), session.key, handle);
    }
  }
});
