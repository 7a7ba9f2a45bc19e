import { record, succeeded } from "../memory/daemon.ts";
import { listMemories, MOST_ROWS } from "../memory/list.ts";
import { memoryPath } from "../memory/memory_path.ts";
import { readMemory, showMemories, showMemory } from "../memory/memory_text.ts";
import { recall } from "../memory/recall.ts";
import * as field from "./fields.ts";
import { BAD_ID, failureReply } from "./reply.ts";
import type { Tool } from "./tool.ts";

/** A tool's result goes into the model's context: about 6,000 tokens. */
const BUDGET = 24_000;

const search: Tool = {
  name: "memory_search",
  title: "Search memory",
  description:
    "Search the user's long-term memory by meaning and keywords. Call it before answering anything that may " +
    "depend on earlier sessions: preferences, decisions, names, past solutions. Pass a few specific " +
    "words, not a whole question. Returns memories with id, type, tags and score.",
  group: "memory",
  access: "read",
  input: {
    fields: {
      query: field.text("The words to search for", 4000),
      limit: field.limit(100, 10),
      type: field.type,
      tags: field.tags,
      project: field.text("Only memories of this project (a path)", 1000),
      since: field.text("Only memories since this date, such as 2026-01-31", 40),
      min_score: {
        type: "number",
        description: "Omit matches with a lower score",
        minimum: 0,
        maximum: 2,
      },
    },
    required: ["query"],
  },
  async run(args, context) {
    const result = await recall(context.daemon, {
      query: args.need("query"),
      limit: args.number("limit") ?? 10,
      type: args.text("type"),
      tags: args.text("tags"),
      project: args.text("project"),
      since: args.text("since"),
      minScore: args.number("min_score"),
    });
    if (result.kind === "failed") return failureReply(result.answer, context);
    if (result.memories.length === 0) return { text: "No matching memories. Try other words." };
    return { text: showMemories(result.memories, BUDGET) };
  },
};

const get: Tool = {
  name: "memory_get",
  title: "Read one memory",
  description: "Read one memory in full by its id, for example when memory_search shows it truncated.",
  group: "memory",
  access: "read",
  input: { fields: { id: field.id }, required: ["id"] },
  async run(args, context) {
    const path = memoryPath(args.need("id"));
    if (path === undefined) return BAD_ID;
    const answer = await context.daemon.request("GET", path);
    if (!succeeded(answer)) return failureReply(answer, context);
    const memory = readMemory(record(answer.body)?.memory ?? answer.body);
    if (!memory) return { text: "The daemon's response contains no memory.", isError: true };
    return { text: showMemory(memory, 4 * BUDGET) };
  },
};

const list: Tool = {
  name: "memory_list",
  title: "List memories",
  description:
    "List memories page by page, for an overview or to browse what is stored. To find something specific, use " +
    "memory_search.",
  group: "memory",
  access: "read",
  input: {
    fields: {
      limit: field.limit(MOST_ROWS, 20),
      offset: { type: "integer", description: "Number of memories to skip", minimum: 0, maximum: 1_000_000 },
      type: field.type,
    },
    required: [],
  },
  async run(args, context) {
    const offset = args.number("offset") ?? 0;
    const page = { limit: args.number("limit") ?? 20, offset, type: args.text("type") };
    const listed = await listMemories(context.daemon, page);
    if (listed.kind === "failed") return failureReply(listed.answer, context);
    const { memories, rows, of } = listed;
    const notes = [
      rows >= Math.min(page.limit, MOST_ROWS)
        ? `There may be more: continue with offset ${offset + rows}.`
        : undefined,
      memories.length > 0 ? WHOSE[of] : undefined,
    ].filter((note) => note !== undefined);
    const text = memories.length > 0
      ? showMemories(memories, BUDGET, 500)
      : notes.length > 0
      ? "No memories of this agent on this page."
      : "No memories found.";
    return { text: [text, ...notes].join("\n") };
  },
};

/** What to say about memories that may be another agent's. */
const WHOSE = {
  agent: undefined,
  shared:
    "This may include memories that other agents share with this one; the daemon does not say whose they are.",
  everyone: "This daemon does not separate agents: the list has the memories of all of them.",
};

export const MEMORY_READ_TOOLS: readonly Tool[] = [search, get, list];
