import { assertEquals } from "@std/assert";
import { keyFor, type KeyOrigin, parseAgents, projectAgent } from "./agent_keys.ts";

const AGENTS = [
  { id: "bob", apiKey: "key-bob", projects: ["/home/u/work", "/home/u/work/a/deep"] },
  { id: "ana", projects: ["/home/u/work/a"] },
];

Deno.test("projectAgent() takes the longest directory that contains the session", () => {
  const cases: [string | undefined, string | undefined][] = [
    ["/home/u/work", "bob"],
    ["/home/u/work/b", "bob"],
    ["/home/u/work/a/x", "ana"],
    ["/home/u/work/a/deep/er", "bob"],
    ["/home/u/workshop", undefined],
    ["/home/u", undefined],
    ["", undefined],
    [undefined, undefined],
  ];
  for (const [cwd, id] of cases) assertEquals(projectAgent(AGENTS, cwd)?.agent.id, id, cwd);
});

Deno.test("keyFor() gives an event the key of its own agent, or none at all", () => {
  const keys = { installed: { agentId: "me", apiKey: "key-me" }, agents: AGENTS };
  const settings = { agentId: "me", apiKey: "key-me", keys };
  const local = { agentId: "me", keys: { installed: { agentId: "me" }, agents: [] } };
  const shell = { agentId: "eve", apiKey: "key-eve", keys };
  const cases: [typeof settings | typeof local, string, KeyOrigin | undefined, unknown][] = [
    [settings, "me", "installed", { apiKey: "key-me" }],
    [settings, "bob", "own", { apiKey: "key-bob" }],
    [settings, "ana", "installed", { apiKey: "key-me" }],
    [settings, "eve", "own", undefined],
    [settings, "eve", undefined, undefined],
    [settings, "eve", "installed", { apiKey: "key-me" }],
    [settings, "eve", "none", {}],
    [shell, "eve", "own", { apiKey: "key-eve" }],
    [shell, "me", "installed", { apiKey: "key-me" }],
    [local, "eve", undefined, {}],
    [local, "eve", "own", undefined],
    [local, "me", "own", undefined],
    [local, "me", "none", {}],
  ];
  for (const [from, agentId, keyFrom, expected] of cases) {
    assertEquals(keyFor(from, { agentId, keyFrom }), expected, `${agentId} ${keyFrom} in ${from.agentId}`);
  }
});

Deno.test("parseAgents() leaves out what is malformed", () => {
  assertEquals(parseAgents("x"), []);
  assertEquals(
    parseAgents([1, {}, { id: "../x", projects: [] }, { id: "ok", apiKey: 1, projects: [1, "", "/p"] }, {
      id: "bare",
    }]),
    [{ id: "ok", projects: ["/p"] }, { id: "bare", projects: [] }],
  );
});
