const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
}) + "\n";

/** Milliseconds from starting `<program> mcp` to its response to `initialize`. */
export async function mcpStart(
  program: string,
  args: readonly string[] = ["mcp"],
  env: Record<string, string> = {},
): Promise<number> {
  const started = performance.now();
  const child = new Deno.Command(program, {
    args: [...args],
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(INITIALIZE));
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const ms = performance.now() - started;
  await writer.close();
  while (!(await reader.read()).done);
  const { code } = await child.status;
  const answer = new TextDecoder().decode(value);
  if (code !== 0 || !answer.includes("protocolVersion")) {
    throw new Error(
      `${program} ${args.join(" ")} answered initialize with ${answer || "nothing"}, and ended with ${code}.`,
    );
  }
  return ms;
}

/**
 * The limit for a start: 1.6 times an empty compiled program, plus the time to load
 * the SDK (scripts/bench/mcp_import.ts minus the empty program).
 */
export function mcpStartLimit(emptyMs: number, importMs: number): number {
  return 1.6 * emptyMs + Math.max(0, importMs - emptyMs);
}
