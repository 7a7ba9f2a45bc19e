import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { checkArguments } from "./arguments.ts";
import { TOOLS } from "./tools.ts";

const AGENT = "nicholai/pi";

function check(name: string, raw: unknown) {
  const tool = TOOLS.find((tool) => tool.name === name);
  assert(tool);
  return checkArguments(tool, raw, AGENT);
}

Deno.test("checkArguments() explains how to correct a wrong argument", () => {
  const cases: [string, unknown, string][] = [
    ["memory_search", undefined, "memory_search needs query."],
    ["memory_search", { query: "  " }, "memory_search needs query."],
    ["memory_forget", {}, "memory_forget needs id and reason."],
    ["memory_search", [], "takes its arguments as an object"],
    ["memory_search", "heron", "takes its arguments as an object"],
    ["memory_search", { query: 5 }, "query must be a string."],
    ["memory_search", { query: "x", limit: 0 }, "limit must be a whole number from 1 to 100."],
    ["memory_search", { query: "x", limit: 2.5 }, "limit must be a whole number"],
    ["memory_search", { query: "x", limit: "many" }, "limit must be a whole number"],
    ["memory_search", { query: "x", limt: 3 }, "has no argument limt. It takes query, limit,"],
    ["memory_search", { query: "x", constructor: 3 }, "has no argument constructor."],
    ["memory_store", { content: "x", importance: 5 }, "importance must be a number from 0 to 1."],
    ["memory_store", { content: "x", pinned: "maybe" }, "pinned must be true or false."],
    ["memory_store", { content: "x", hints: [1] }, "hints must be a list of strings."],
    ["memory_store", { content: "x", hints: Array(21).fill("a") }, "hints has 21 items; the limit is 20."],
    [
      "memory_store",
      { content: "x".repeat(5_000_000) },
      "content has 5000000 characters; the limit is 100000",
    ],
    ["agent_message_send", { content: "x", type: "spam" }, "type must be one of info, question,"],
  ];
  for (const [name, raw, message] of cases) {
    const checked = check(name, raw);
    assert(!checked.ok, message);
    assertStringIncludes(checked.message, message);
  }
});

Deno.test("checkArguments() accepts values whose meaning is clear", () => {
  const checked = check("memory_store", {
    content: "x",
    tags: ["a", "b"],
    importance: "0.5",
    pinned: "true",
    hints: "one",
    type: null,
  });
  assert(checked.ok);
  const { args } = checked;
  assertEquals(
    [
      args.text("tags"),
      args.number("importance"),
      args.flag("pinned"),
      args.list("hints"),
      args.text("type"),
    ],
    ["a,b", 0.5, true, ["one"], undefined],
  );
});

Deno.test("checkArguments() does not let an argument change the agent", () => {
  for (const { name, input } of TOOLS) {
    const enough = Object.fromEntries(input.required.map((field) => [field, "x"]));
    for (const spelling of ["agent_id", "agentId", "from_agent_id", "fromAgentId"]) {
      const other = check(name, { ...enough, [spelling]: "alice" });
      assert(!other.ok);
      assertStringIncludes(other.message, `belongs to the agent ${AGENT}`);
      assert(check(name, { ...enough, [spelling]: AGENT }).ok, "its own id is accepted");
    }
  }
});
