import { assertEquals } from "@std/assert";
import { agentInput } from "./agent_input.ts";

Deno.test("agentInput() leaves the names that most harnesses use alone", () => {
  const input = { session_id: "s", tool_name: "Edit", tool_input: { file_path: "a" }, sessionId: "other" };
  assertEquals(agentInput(input), input);
});

Deno.test("agentInput() reads a tool call of Copilot CLI, whose arguments are an object, JSON or a patch", () => {
  const read = (toolArgs: unknown) => {
    const { session_id, agent_id, tool_name, tool_input } = agentInput({
      sessionId: "s",
      toolName: "edit",
      toolArgs,
    });
    return [session_id, agent_id, tool_name, tool_input];
  };
  assertEquals(read({ path: "a" }), ["s", undefined, "edit", { path: "a" }]);
  assertEquals(read('{"path":"a"}'), ["s", undefined, "edit", { path: "a" }]);
  for (const text of ["*** Begin Patch\n*** End Patch", "[1]", "7", "null", "{"]) {
    assertEquals(read(text).at(-1), text);
  }
});

Deno.test("agentInput() gives the call of a sub-agent of Copilot CLI to the session of its parent", () => {
  const { session_id, agent_id } = agentInput({
    sessionId: "child",
    agentId: "child",
    parentAgentId: "root",
  });
  assertEquals([session_id, agent_id], ["root", "child"]);
});
