import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { record, records } from "../../../connectors/base/memory/daemon.ts";
import type { Call } from "./every_tool.ts";

/**
 * For tests with this client: on close it leaves a timer that would kill the
 * server, had it not ended by itself. Such tests have files of their own.
 */
export const LEAKS_A_TIMER = { sanitizeOps: false, sanitizeResources: false } as const;

export interface SdkClient {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  readonly stderr: string[];
  readonly call: Call;
}

/** Connects the SDK's client to a server program, and ends both afterwards. */
export async function withSdkClient(
  program: { command: string; args: string[]; env: Record<string, string>; cwd?: string },
  use: (connected: SdkClient) => Promise<void>,
): Promise<void> {
  const transport = new StdioClientTransport({ ...program, stderr: "pipe" });
  const stderr: string[] = [];
  transport.stderr?.on("data", (chunk: Uint8Array) => stderr.push(new TextDecoder().decode(chunk)));
  const client = new Client({ name: "test", version: "1" });
  const call: Call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    return { text: String(records(record(result)?.content)[0]?.text), isError: result.isError === true };
  };
  try {
    await client.connect(transport);
    await use({ client, transport, stderr, call });
  } finally {
    await client.close();
  }
}
