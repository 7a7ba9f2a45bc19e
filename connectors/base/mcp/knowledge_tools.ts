import { record, succeeded } from "../memory/daemon.ts";
import { plainText } from "../../../hooks/context_text/plain_text.ts";
import { truncate } from "../../../hooks/context_text/truncate.ts";
import * as field from "./fields.ts";
import { failureReply } from "./reply.ts";
import type { Tool } from "./tool.ts";

const BUDGET = 24_000;

const expand: Tool = {
  name: "knowledge_expand",
  title: "Look up an entity",
  description:
    "Collect everything in memory about one named person, project, tool or place, with its aspects and " +
    "relations. Use it when memory_search returns only fragments about a name.",
  group: "knowledge",
  access: "read",
  input: {
    fields: {
      entity_name: field.text("The name as it appears in memories", 500),
      aspect: field.text("Only this aspect, such as preferences or history", 500),
      question: field.text("What you want to know, to rank the relevant parts first", 2000),
      max_tokens: {
        type: "integer",
        description: "Maximum length of the answer",
        minimum: 50,
        maximum: 8000,
      },
    },
    required: ["entity_name"],
  },
  async run(args, context) {
    const name = args.need("entity_name").trim();
    const answer = await context.daemon.request("POST", "/api/knowledge/expand", {
      entity: name,
      ...optional({
        aspect: args.text("aspect"),
        question: args.text("question"),
        maxTokens: args.number("max_tokens"),
      }),
    });
    if (!succeeded(answer)) {
      return failureReply(answer, context, notKnown(answer, name));
    }
    // The shape differs between daemons, and a model can read the JSON itself.
    const body = record(answer.body) ?? {};
    const summary = plainText(body.text ?? body.context ?? body.summary);
    return { text: truncate(summary || plainText(JSON.stringify(body, null, 1)), BUDGET, "\n[cut]") };
  },
};

function notKnown(answer: Parameters<typeof failureReply>[0], name: string): string | undefined {
  const missing = answer.kind === "http" && answer.status === 404 && answer.json;
  return missing ? `There is no entity named "${name}"; try memory_search.` : undefined;
}

function optional(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export const KNOWLEDGE_TOOLS: readonly Tool[] = [expand];
