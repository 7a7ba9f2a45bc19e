import { Server } from "@modelcontextprotocol/sdk/server";
// The package's export map finds no types for a name with ".js", and everything would silently be `any`.
// @ts-types="@modelcontextprotocol/sdk/types"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { checkArguments } from "./arguments.ts";
import { instructions } from "./instructions.ts";
import type { Group, ToolContext, ToolReply } from "./tool.ts";
import { listing, type McpMode, offered, TOOLS } from "./tools.ts";

export interface ServerOptions {
  readonly context: ToolContext;
  readonly mode: McpMode;
  readonly version: string;
  /** The groups that the daemon lacks; asked for at the first list. */
  missing(): Promise<ReadonlySet<Group>>;
  audit(write: Write): void;
}

/** A write, as the log has it: which tool, for whom, how it ended. Never what was written. */
export interface Write {
  readonly tool: string;
  readonly agentId: string;
  readonly outcome: "done" | "kept" | "failed" | "refused";
  readonly ms: number;
}

/**
 * The low-level server with plain JSON schemas: against McpServer with zod it
 * starts some 15 ms earlier. Unknown methods, before or after `initialize`, get
 * -32601 from the SDK; Claude Code sends `server/discover` first and needs that.
 */
export function createServer(options: ServerOptions): Server {
  const { context, mode } = options;
  const server = new Server({ name: "signet", version: options.version }, {
    capabilities: { tools: {} },
    instructions: instructions(context.daemon.agentId, mode),
    // Only elicitation would use it, and making the default one costs milliseconds at start.
    jsonSchemaValidator: {
      getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "not used" }),
    },
  });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: offered(mode, await options.missing()).map(listing),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { text, isError } = await call(options, params.name, params.arguments);
    return { content: [{ type: "text", text }], ...(isError ? { isError } : {}) };
  });
  return server;
}

async function call(options: ServerOptions, name: string, raw: unknown): Promise<ToolReply> {
  const { context, mode } = options;
  const started = performance.now();
  const account = (outcome: Write["outcome"]) => {
    const ms = Math.round(performance.now() - started);
    options.audit({ tool: name, agentId: context.daemon.agentId, outcome, ms });
  };
  const tool = TOOLS.find((tool) => tool.name === name);
  if (!tool) {
    const known = offered(mode, new Set()).map(({ name }) => name).join(", ");
    return { text: `There is no tool ${name.slice(0, 80)}. There are ${known}.`, isError: true };
  }
  const writes = tool.access === "write";
  if (writes && mode === "readonly") {
    account("refused");
    return {
      text: `${tool.name} needs mode write, and this server runs in mode readonly. Nothing was changed.`,
      isError: true,
    };
  }
  const checked = checkArguments(tool, raw, context.daemon.agentId);
  if (!checked.ok) return { text: checked.message, isError: true };
  try {
    const reply = await tool.run(checked.args, context);
    if (writes) account(reply.isError ? "failed" : reply.kept ? "kept" : "done");
    return reply;
  } catch (error) {
    // A model can go on without memory; a harness cannot go on with a dead server.
    if (writes) account("failed");
    const why = (error instanceof Error ? error.message : String(error)).slice(0, 300).replace(/\.$/, "");
    return { text: `${tool.name} failed: ${why}. Continue without it.`, isError: true };
  }
}
