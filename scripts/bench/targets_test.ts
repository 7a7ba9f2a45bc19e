import { assertEquals } from "@std/assert";
import { isMet } from "./stats.ts";
import { targets } from "./targets.ts";

const row = (name: string, median: number, rssMb?: number) => ({ name, min: 1, median, p95: 1, rssMb });

Deno.test("targets() compares the median of each hook with the floor", () => {
  const list = targets([
    row("floor", 40, 50),
    row("session-start, up", 44, 55),
    row("user-prompt-submit, up", 60, 60),
    row("session-end, dead", 60),
  ]);
  const met = (name: string) => {
    const found = list.find((target) => target.name === name);
    return found === undefined ? undefined : isMet(found);
  };
  assertEquals(met("session-start, up / floor"), true);
  assertEquals(met("user-prompt-submit, up / floor"), false);
  assertEquals(met("session-end, dead / floor"), true);
  assertEquals(met("memory of session-start, up / floor"), true);
  assertEquals(met("memory of user-prompt-submit, up / floor"), false);
  assertEquals(met("session-start, dead / floor"), false, "what was not measured is not met");
});

Deno.test("targets() sets no limit for curl and Node", () => {
  assertEquals(
    targets([row("floor", 40), row("node http", 100), row("curl", 10)]).some(({ name }) =>
      /node|curl/.test(name)
    ),
    false,
  );
});

Deno.test("targets() compares a hook over TLS with a floor over TLS, if both were measured", () => {
  const rows = [row("floor", 40), row("floor, https", 60), row("session-start, https", 70)];
  const list = targets(rows).filter(({ name }) => name.includes("https"));
  assertEquals(list.map((target) => [target.name, isMet(target)]), [
    ["session-start, https / floor, https", true],
    ["user-prompt-submit, https / floor, https", false],
  ]);
  assertEquals(targets([row("floor", 40)]).some(({ name }) => name.includes("https")), false);
});

Deno.test("targets() compares a link with the connector itself, if it was measured", () => {
  const rows = [row("session-start, up", 50), row("session-start, link", 52)];
  const list = targets(rows).filter(({ name }) => name.includes("link"));
  assertEquals(list.map((target) => [target.name, isMet(target)]), [
    ["session-start, link / session-start, up", true],
    ["user-prompt-submit, link / user-prompt-submit, up", false],
  ]);
  assertEquals(targets([row("floor", 40)]).some(({ name }) => name.includes("link")), false);
});

Deno.test("targets() holds the hooks of the agent mesh to the floor, if they were measured", () => {
  const rows = [
    row("floor", 40),
    row("pre-tool, agents", 45),
    row("post-tool, agents", 51),
    row("user-prompt-submit, agents", 52),
    row("user-prompt-submit, agents, no MCP server", 53),
    row("user-prompt-submit, no agents", 50),
  ];
  const list = targets(rows).filter(({ name }) => /agents|others|locks/.test(name));
  assertEquals(list.map((target) => [target.name, isMet(target)]), [
    ["pre-tool, agents / floor", true],
    ["post-tool, agents / floor", false],
    ["pre-tool, 1000 for others / floor", false],
    ["post-tool, 1000 for others / floor", false],
    ["pre-tool, 1000 locks / floor", false],
    ["user-prompt-submit, agents / user-prompt-submit, no agents", true],
    ["user-prompt-submit, agents, no MCP server / user-prompt-submit, no agents", false],
  ]);
  assertEquals(targets([row("floor", 40)]).some(({ name }) => name.includes("agents")), false);
});
