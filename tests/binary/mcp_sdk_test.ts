import { assertEquals } from "@std/assert";
import { withSurroundings } from "../worlds/mcp/mcp_surroundings.ts";
import { EVERY_TOOL, useEveryTool } from "../worlds/mcp/every_tool.ts";
import { LEAKS_A_TIMER, withSdkClient } from "../worlds/mcp/sdk_client.ts";
import { BINARY } from "../worlds/mcp/server_process.ts";

Deno.test(
  "signet-pyagent mcp: the SDK's client lists and calls every tool, and makes 100 calls at once",
  LEAKS_A_TIMER,
  async () => {
    await withSurroundings(async ({ env, home }) => {
      const program = { command: BINARY, args: ["mcp"], env, cwd: home };
      await withSdkClient(program, async ({ client, call, stderr }) => {
        const { tools } = await client.listTools();
        assertEquals(tools.map(({ name }) => name).sort(), [...EVERY_TOOL].sort());
        await useEveryTool(call);
        const facts = Array.from({ length: 100 }, (_, n) => `Fact number ${n}.`);
        const replies = await Promise.all(facts.map((content) => call("memory_store", { content })));
        assertEquals(replies.filter(({ isError }) => isError), []);
        assertEquals(new Set(replies.map(({ text }) => text)).size, 100);
        assertEquals(stderr, []);
      });
    });
  },
);
