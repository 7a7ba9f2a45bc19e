import type { Diagnosis } from "./diagnosis.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "signet-doctor", version: "1" },
  },
};
const TIMEOUT_MS = 10_000;

/** Starts the MCP server as the harness would and lists its tools. */
export async function probeMcp(argv: readonly string[]): Promise<Diagnosis> {
  const [program = "", ...args] = argv;
  const fix = "run install again";
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  try {
    const child = new Deno.Command(program, {
      args,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).spawn();
    const messages = [
      INITIALIZE,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
    ];
    const writer = child.stdin.getWriter();
    await writer.write(
      new TextEncoder().encode(messages.map((each) => JSON.stringify(each) + "\n").join("")),
    );
    await writer.close();
    const { code, stdout } = await child.output();
    const names = toolNames(new TextDecoder().decode(stdout));
    if (code !== 0 || names.length === 0) {
      return { id: "mcp", ok: false, message: `The MCP server lists no tools (exit ${code})`, fix, ms: ms() };
    }
    return { id: "mcp", ok: true, message: `The MCP server lists ${names.length} tools`, ms: ms() };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { id: "mcp", ok: false, message: `The MCP server cannot be started: ${why}`, fix, ms: ms() };
  }
}

function toolNames(output: string): string[] {
  for (const line of output.split("\n")) {
    try {
      const message: { id?: unknown; result?: { tools?: { name: string }[] } } = JSON.parse(line);
      if (message.id === 2) return (message.result?.tools ?? []).map(({ name }) => name);
    } catch {
      // Not a JSON-RPC message.
    }
  }
  return [];
}
