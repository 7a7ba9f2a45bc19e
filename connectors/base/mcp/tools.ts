import { AGENT_TOOLS } from "./agent_tools.ts";
import { FEEDBACK_TOOL } from "./feedback_tool.ts";
import { KNOWLEDGE_TOOLS } from "./knowledge_tools.ts";
import { LOCK_TOOLS } from "./lock_tools.ts";
import { MEMORY_READ_TOOLS } from "./memory_read_tools.ts";
import { MEMORY_WRITE_TOOLS } from "./memory_write_tools.ts";
import { SESSION_TOOLS } from "./session_tools.ts";
import type { Field, Group, Tool } from "./tool.ts";

/** Every tool, in listing order. */
export const TOOLS: readonly Tool[] = [
  ...MEMORY_READ_TOOLS,
  ...MEMORY_WRITE_TOOLS,
  FEEDBACK_TOOL,
  ...KNOWLEDGE_TOOLS,
  ...SESSION_TOOLS,
  ...AGENT_TOOLS,
  ...LOCK_TOOLS,
];

export type McpMode = "readonly" | "write" | "admin";

/** The tools that the mode allows and the daemon supports. */
export function offered(mode: McpMode, missing: ReadonlySet<Group>): Tool[] {
  return TOOLS.filter((tool) => (mode !== "readonly" || tool.access === "read") && !missing.has(tool.group));
}

/** A tool as `tools/list` returns it. */
export interface Listing {
  name: string;
  title: string;
  description: string;
  inputSchema: {
    type: "object";
    properties: Record<string, Field>;
    required?: string[];
    additionalProperties: false;
  };
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

export function listing(tool: Tool): Listing {
  const { fields, required } = tool.input;
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: {
      type: "object",
      properties: { ...fields },
      ...(required.length > 0 ? { required: [...required] } : {}),
      additionalProperties: false,
    },
    annotations: {
      title: tool.title,
      readOnlyHint: tool.access === "read",
      destructiveHint: tool.destructive ?? false,
      idempotentHint: tool.access === "read" || (tool.idempotent ?? false),
      // The tools only talk to the user's own daemon.
      openWorldHint: false,
    },
  };
}
