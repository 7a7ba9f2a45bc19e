import { record, records, succeeded } from "../memory/daemon.ts";
import { plainText } from "../../../hooks/context_text/plain_text.ts";
import { truncate } from "../../../hooks/context_text/truncate.ts";
import * as field from "./fields.ts";
import { failureReply } from "./reply.ts";
import type { Tool } from "./tool.ts";

const BUDGET = 24_000;

/** Named as in the daemon's session-start text, which tells the model to use it. */
const expandSession: Tool = {
  name: "knowledge_expand_session",
  title: "Find sessions about an entity",
  description:
    "List the summaries of earlier sessions that were about one named person, project, tool or place. Use it " +
    "to find out what was done or decided, and when.",
  group: "sessions",
  access: "read",
  input: {
    fields: {
      entity_name: field.text("The name as it appears in memories", 500),
      session_id: field.text("Only this session", 500),
      time_range: field.text("last_week, last_month, or a date such as 2026-01-31", 40),
      max_results: field.limit(50, 10),
    },
    required: ["entity_name"],
  },
  async run(args, context) {
    const name = args.need("entity_name").trim();
    const answer = await context.daemon.request("POST", "/api/knowledge/expand/session", {
      entityName: name,
      maxResults: args.number("max_results") ?? 10,
      ...optional({ sessionId: args.text("session_id"), timeRange: args.text("time_range") }),
    });
    if (!succeeded(answer)) return failureReply(answer, context);
    const summaries = records(record(answer.body)?.summaries);
    if (summaries.length === 0) return { text: `No earlier sessions about "${name}"; try memory_search.` };
    const lines = summaries.map((summary) => {
      const facts = [
        oneLine(summary.latestAt).slice(0, 10),
        oneLine(summary.harness),
        `id ${oneLine(summary.id)}`,
      ];
      const content = plainText(summary.content).trim().replaceAll("\n", "\n  ");
      return `- ${content}\n  (${facts.filter((fact) => fact !== "").join(" · ")})`;
    });
    return { text: truncate(lines.join("\n"), BUDGET, "\n[cut]") };
  },
};

/** Named as in the daemon's session-start text, which tells the model to use it. */
const expandSummary: Tool = {
  name: "lcm_expand",
  title: "Expand a session summary",
  description:
    "Show what a session summary was made from: its parent and child summaries, its memories, and a part of " +
    "the conversation. Takes an id from MEMORY.md or from knowledge_expand_session.",
  group: "sessions",
  access: "read",
  input: {
    fields: {
      id: field.text("The summary's id", 200),
      include_transcript: {
        type: "boolean",
        description: "Include a part of the conversation (default: true)",
      },
      transcript_char_limit: {
        type: "integer",
        description: "Maximum length of that part",
        minimum: 200,
        maximum: 12_000,
      },
    },
    required: ["id"],
  },
  async run(args, context) {
    const answer = await context.daemon.request("POST", "/api/sessions/summaries/expand", {
      id: args.need("id").trim(),
      includeTranscript: args.flag("include_transcript") ?? true,
      ...optional({ transcriptCharLimit: args.number("transcript_char_limit") }),
    });
    if (!succeeded(answer)) return failureReply(answer, context);
    // Its shape is the daemon's own, and a model can read the JSON itself.
    return { text: truncate(plainText(JSON.stringify(answer.body, null, 1)), BUDGET, "\n[cut]") };
  },
};

const oneLine = (value: unknown) => plainText(value).replaceAll("\n", " ").trim();

function optional(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export const SESSION_TOOLS: readonly Tool[] = [expandSession, expandSummary];
