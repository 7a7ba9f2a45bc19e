import { Server } from "@modelcontextprotocol/sdk/server";
// The package's export map finds no types for a name with ".js", and everything would silently be `any`.
// @ts-types="@modelcontextprotocol/sdk/types"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { UserError } from "../cli/command.ts";
import { checkArguments } from "./arguments.ts";
import { instructions } from "./instructions.ts";
import type { Group, ToolContext, ToolReply } from "./tool.ts";
import { listing, type McpMode, offered, TOOLS } from "./tools.ts";

export interface ServerOptions {
  readonly context: ToolContext;
  readonly mode: McpMode;
  readonly version: string;
  /** The groups that the daemon lacks; called when the tools are first listed. */
  missing(): Promise<ReadonlySet<Group>>;
  audit(write: Write): void;
  /** Calls `done` once the client has the answer to a request. */
  afterAnswer(request: string | number, done: () => void): void;
}

/** A write as it is logged: the tool, the agent and the outcome, never the content. */
export interface Write {
  readonly tool: string;
  readonly agentId: string;
  readonly outcome: "done" | "kept" | "failed" | "refused";
  readonly ms: number;
}

/**
 * The low-level server with plain JSON schemas starts about 15 ms faster than
 * McpServer with zod. Unknown methods, before or after `initialize`, get
 * -32601 from the SDK; Claude Code sends `server/discover` first and needs that.
 */
export function createServer(options: ServerOptions): Server {
  const { context, mode } = options;
  const server = new Server({ name: "signet", version: options.version }, {
    capabilities: { tools: {} },
    instructions: instructions(context.daemon.agentId, mode),
    // Only elicitation uses it, and creating the default validator slows the start by milliseconds.
    jsonSchemaValidator: {
      getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "not used" }),
    },
  });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: offered(mode, await options.missing()).map(listing),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestId }) => {
    const { text, isError, confirm } = await call(options, params.name, params.arguments);
    if (confirm) options.afterAnswer(requestId, confirm);
    return { content: [{ type: "text", text }], ...(isError ? { isError } : {}) };
  });
  return server;
}

async function call(options: ServerOptions, name: string, raw: unknown): Promise<ToolReply> {
  const { context, mode } = options;
  const started = performance.now();
  const audit = (outcome: Write["outcome"]) => {
    const ms = Math.round(performance.now() - started);
    options.audit({ tool: name, agentId: context.daemon.agentId, outcome, ms });
  };
  const tool = TOOLS.find((tool) => tool.name === name);
  if (!tool) {
    const known = offered(mode, new Set()).map(({ name }) => name).join(", ");
    return { text: `There is no tool ${name.slice(0, 80)}. Available tools: ${known}.`, isError: true };
  }
  const writes = tool.access === "write";
  if (writes && mode === "readonly") {
    audit("refused");
    return {
      text: `${tool.name} needs mode write, but this server runs in mode readonly. Nothing was changed.`,
      isError: true,
    };
  }
  const checked = checkArguments(tool, raw, context.daemon.agentId);
  if (!checked.ok) return { text: checked.message, isError: true };
  try {
    const reply = await tool.run(checked.args, context);
    if (writes) audit(reply.isError ? "failed" : reply.kept ? "kept" : "done");
    return reply;
  } catch (error) {
    // What the caller can correct, such as an unknown handle.
    if (error instanceof UserError) {
      if (writes) audit("failed");
      return { text: `${error.message}${error.next ? ` (${error.next})` : ""}`, isError: true };
    }
    // A model can continue without memory; a harness cannot continue with a dead server.
    if (writes) audit("failed");
    const why = (error instanceof Error ? error.message : String(error)).slice(0, 300).replace(/\.$/, "");
    return { text: `${tool.name} failed: ${why}. Continue without it.`, isError: true };
  }
}
