import { assertEquals, assertMatch } from "@std/assert";

/** How a client calls a tool. */
export type Call = (
  tool: string,
  args: Record<string, unknown>,
) => Promise<{ text: string; isError: boolean }>;

export const EVERY_TOOL = [
  "memory_search",
  "memory_get",
  "memory_list",
  "memory_store",
  "memory_modify",
  "memory_forget",
  "memory_feedback",
  "knowledge_expand",
  "knowledge_expand_session",
  "lcm_expand",
  "agent_peers",
  "agent_message_send",
  "agent_message_inbox",
];

/** Stores, finds, reads, rates, changes and forgets a memory, and talks to an agent `bob` who is there already. */
export async function useEveryTool(call: Call): Promise<void> {
  const used = new Set<string>();
  const ask = async (tool: string, args: Record<string, unknown>, wanted: RegExp) => {
    used.add(tool);
    const { text, isError } = await call(tool, args);
    assertEquals([isError, text], [false, text], `${tool}: ${text}`);
    assertMatch(text, wanted);
    return text;
  };
  const stored = await ask(
    "memory_store",
    { content: "The staging database is called Heron", tags: "db,staging", hints: ["name of the database"] },
    /^Stored as \w+ \(id [\w-]+\)\.$/,
  );
  const id = stored.match(/id ([\w-]+)/)?.[1] ?? "";
  await ask("memory_search", { query: "staging database", limit: 3 }, /Heron[\s\S]*tags db,staging/);
  await ask("memory_list", { limit: 5 }, /Heron/);
  await ask("knowledge_expand", { entity_name: "Heron" }, /Heron/);
  await ask("knowledge_expand_session", { entity_name: "Heron" }, /No earlier sessions about "Heron"/);
  used.add("lcm_expand");
  const unknown = await call("lcm_expand", { id: "no-such-summary" });
  assertEquals(unknown.isError, true, unknown.text);
  await ask("memory_feedback", { session_key: "s1", ratings: { [id]: 0.8 } }, /^Recorded \d of 1 ratings\.$/);
  await ask(
    "memory_modify",
    { id, reason: "renamed", content: "The staging database is called Egret" },
    /^Changed/,
  );
  await ask("memory_get", { id }, /Egret/);
  await ask("memory_forget", { id, reason: "no longer there" }, /^Forgot/);
  const gone = await call("memory_get", { id });
  assertEquals(gone.isError, true, gone.text);
  await ask("agent_peers", {}, /^- bob in codex/m);
  await ask(
    "agent_message_send",
    { to_agent_id: "bob", content: "which database?", type: "question" },
    /^Sent to bob/,
  );
  await ask("agent_message_inbox", {}, /bob \(info\)\n {2}hello from bob/);
  assertEquals([...used].sort(), [...EVERY_TOOL].sort());
}
