import { record, succeeded } from "../memory/daemon.ts";
import { plainText } from "../../../hooks/context_text/plain_text.ts";
import { truncate } from "../../../hooks/context_text/truncate.ts";
import * as field from "./fields.ts";
import { failureReply } from "./reply.ts";
import type { Tool } from "./tool.ts";

const BUDGET = 24_000;

const expand: Tool = {
  name: "knowledge_expand",
  title: "What is known about something",
  description:
    "Gather what memory knows about one named thing: a person, project, tool or place, with its aspects and " +
    "relations. Use it when a name matters and memory_search gives only pieces.",
  group: "knowledge",
  access: "read",
  input: {
    fields: {
      entity_name: field.text("The name, as it stands in memories", 500),
      aspect: field.text("Only this side of it, such as preferences or history", 500),
      question: field.text("What you want to know, to put the fitting parts first", 2000),
      max_tokens: { type: "integer", description: "How long the answer may be", minimum: 50, maximum: 8000 },
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
    // Its shape differs between daemons, and a model reads JSON as well as we would retell it.
    const body = record(answer.body) ?? {};
    const told = plainText(body.text ?? body.context ?? body.summary);
    return { text: truncate(told || plainText(JSON.stringify(body, null, 1)), BUDGET, "\n[cut]") };
  },
};

function notKnown(answer: Parameters<typeof failureReply>[0], name: string): string | undefined {
  const missing = answer.kind === "http" && answer.status === 404 && answer.json;
  return missing ? `Nothing is known under the name "${name}"; try memory_search with it.` : undefined;
}

function optional(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export const KNOWLEDGE_TOOLS: readonly Tool[] = [expand];
