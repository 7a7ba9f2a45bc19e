import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Spool } from "../hooks/spool/spool.ts";
import { type Surroundings, withSurroundings } from "./worlds/mcp/mcp_surroundings.ts";
import { EVERY_TOOL, useEveryTool } from "./worlds/mcp/every_tool.ts";
import { LEAKS_A_TIMER, withSdkClient } from "./worlds/mcp/sdk_client.ts";

const ENTRY = new URL("./worlds/mcp/mcp_entry.ts", import.meta.url).pathname;
const CONFIG = new URL("../deno.json", import.meta.url).pathname;

function program({ env, home }: Surroundings, ...args: string[]) {
  // Deno's own cache stays where it is; only the server's home is new.
  const DENO_DIR = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  return {
    command: Deno.execPath(),
    args: ["run", "-A", "--no-check", "--config", CONFIG, ENTRY, ...args],
    env: { ...env, DENO_DIR },
    cwd: home,
  };
}

Deno.test("the SDK's client lists and calls every tool over stdio", LEAKS_A_TIMER, async () => {
  await withSurroundings(async (place) => {
    await withSdkClient(program(place), async ({ client, call, stderr }) => {
      const { tools } = await client.listTools();
      assertEquals(tools.map(({ name }) => name).sort(), [...EVERY_TOOL].sort());
      assertStringIncludes(client.getInstructions() ?? "", "nicholai/pi");
      await useEveryTool(call);
      const log = await Deno.readTextFile(`${place.home}/.local/state/signet/pyagent/hook.log`);
      const writes = log.trim().split("\n").map((line) => JSON.parse(line));
      assertEquals(writes.map(({ event, outcome, detail }) => `${event} ${outcome} ${detail}`), [
        "mcp memory_store done agent nicholai/pi",
        "mcp memory_feedback done agent nicholai/pi",
        "mcp memory_modify done agent nicholai/pi",
        "mcp memory_forget done agent nicholai/pi",
        "mcp agent_message_send done agent nicholai/pi",
      ]);
      assert(!/Heron|sig_sk_/.test(log), "what was written, and the key, are not in the log");
      assertEquals(stderr, []);
    });
    for (const { path, agent, warnings } of place.daemon.requests()) {
      if (agent !== "bob") assertEquals([path, agent, warnings], [path, "nicholai/pi", []]);
    }
  });
});

Deno.test("100 calls at once through the SDK's client are all answered", LEAKS_A_TIMER, async () => {
  await withSurroundings(async (place) => {
    await withSdkClient(program(place), async ({ call }) => {
      const numbers = Array.from({ length: 100 }, (_, n) => n);
      const replies = await Promise.all(
        numbers.map((n) => call("memory_store", { content: `Fact number ${n}.` })),
      );
      assertEquals(replies.filter(({ isError }) => isError), []);
      assertEquals(new Set(replies.map(({ text }) => text)).size, 100);
    });
  });
});

Deno.test(
  "memory_store with the daemon gone is kept, and a 5 MB argument refused, without a crash",
  LEAKS_A_TIMER,
  async () => {
    await withSurroundings(async (place) => {
      await withSdkClient(program(place, "write"), async ({ call }) => {
        const large = await call("memory_store", { content: "x".repeat(5_000_000) });
        assertStringIncludes(large.text, "content has 5000000 characters");
        place.daemon.stop();
        const kept = await call("memory_store", { content: "The staging database is called Heron" });
        assertEquals(kept.isError, false);
        assertStringIncludes(kept.text, "saved on disk");
        assertEquals(new Spool(`${place.home}/.local/state/signet/pyagent`).list().length, 1);
        const search = await call("memory_search", { query: "heron" });
        assertEquals(search.isError, true);
        assertStringIncludes(search.text, "shutting down");
      });
    });
  },
);

Deno.test(
  "a readonly server lists eight tools to the SDK's client and writes nothing",
  LEAKS_A_TIMER,
  async () => {
    await withSurroundings(async (place) => {
      await withSdkClient(program(place, "readonly"), async ({ client, call }) => {
        assertEquals((await client.listTools()).tools.length, 8);
        assertEquals((await call("memory_store", { content: "x" })).isError, true);
      });
      assertEquals(place.daemon.requests().filter(({ path }) => path === "/api/memory/remember"), []);
    });
  },
);
