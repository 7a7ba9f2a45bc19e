import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { record, records } from "../../connectors/base/memory/daemon.ts";
import { withSurroundings } from "../worlds/mcp/mcp_surroundings.ts";
import { EVERY_TOOL, useEveryTool } from "../worlds/mcp/every_tool.ts";
import { BINARY, ServerProcess } from "../worlds/mcp/server_process.ts";
import { inspector } from "../worlds/daemon/inspector.ts";

const INITIALIZE = line({
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});

function line(message: Record<string, unknown>): string {
  return JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n";
}

Deno.test("signet-pyagent mcp: the MCP inspector lists and calls every tool", async () => {
  const inspect = await inspector();
  await withSurroundings(async ({ env }) => {
    const server = [BINARY, "mcp"];
    const listed = await inspect(server, ["--method", "tools/list", "--strict"], env);
    assertEquals([listed.code, listed.stderr], [0, ""], "no problem with a schema");
    const names = records(record(listed.document)?.tools).map(({ name }) => String(name));
    assertEquals(names.sort(), [...EVERY_TOOL].sort());
    await useEveryTool(async (tool, args) => {
      const pairs = Object.entries(args).map(([name, value]) =>
        `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`
      );
      const given = pairs.length > 0 ? ["--tool-arg", ...pairs] : [];
      const { document } = await inspect(
        server,
        ["--method", "tools/call", "--tool-name", tool, ...given],
        env,
      );
      const result = record(document);
      return { text: String(records(result?.content)[0]?.text), isError: result?.isError === true };
    });
  });
});

Deno.test("signet-pyagent mcp: a readonly server shows the inspector eight tools", async () => {
  const inspect = await inspector();
  await withSurroundings(async ({ env }) => {
    const server = [BINARY, "mcp", "--mode", "readonly"];
    // What follows "--" is the server's own.
    const { document } = await inspect(["--method", "tools/list", "--", ...server], [], env);
    assertEquals(records(record(document)?.tools).length, 8);
  });
});

Deno.test("signet-pyagent mcp: answers server/discover with -32601, then initialises", async () => {
  await withSurroundings(async ({ env }) => {
    await using server = new ServerProcess(env);
    await server.write(line({ id: "server-discover-probe-1", method: "server/discover", params: {} }));
    const answer = await server.readLine();
    assertEquals([answer.id, record(answer.error)?.code], ["server-discover-probe-1", -32601]);
    await server.write(INITIALIZE);
    assertEquals(record((await server.readLine()).result)?.protocolVersion, "2025-11-25");
    await server.closeInput();
    assertEquals(await server.end(), { code: 0, stdout: "", stderr: "" });
  });
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`signet-pyagent mcp: ends on ${signal} with its input still open`, async () => {
    await withSurroundings(async ({ env }) => {
      await using server = new ServerProcess(env);
      await server.write(INITIALIZE);
      await server.readLine();
      server.kill(signal);
      assertEquals(await server.end(), { code: 0, stdout: "", stderr: "" });
    });
  });
}

Deno.test("signet-pyagent mcp: survives a client that goes away without reading", async () => {
  await withSurroundings(async ({ env }) => {
    await using server = new ServerProcess(env);
    await server.hangUp();
    await server.write(INITIALIZE + line({ id: 2, method: "tools/list" }));
    const { code, stderr } = await server.end();
    assertEquals([code, stderr], [0, ""]);
  });
});

Deno.test("signet-pyagent mcp: a daemon that hangs stops neither the start nor the list of tools", async () => {
  const hanging = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const home = await Deno.makeTempDir();
  const env = { HOME: home, SIGNET_DAEMON_URL: `http://127.0.0.1:${hanging.addr.port}` };
  await using server = new ServerProcess(env);
  try {
    await server.write(INITIALIZE);
    assert((await server.readLine()).result);
    await server.write(line({ id: 2, method: "tools/list" }));
    assertEquals(records(record((await server.readLine()).result)?.tools).length, 13);
    await server.write(
      line({ id: 3, method: "tools/call", params: { name: "memory_store", arguments: { content: "x" } } }),
    );
    await server.closeInput();
    const { code, stdout } = await server.end();
    assertEquals(code, 0);
    assertStringIncludes(stdout, "saved on disk");
  } finally {
    hanging.close();
    await Deno.remove(home, { recursive: true });
  }
});
