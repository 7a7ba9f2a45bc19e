import { record, succeeded } from "../memory/daemon.ts";
import { explain } from "../memory/failure.ts";
import { memoryPath } from "../memory/memory_path.ts";
import { remember } from "../memory/remember.ts";
import * as field from "./fields.ts";
import { BAD_ID, failureReply } from "./reply.ts";
import type { Tool } from "./tool.ts";

const store: Tool = {
  name: "memory_store",
  title: "Store a memory",
  description:
    "Store something in the user's long-term memory, for later sessions and other agents. Use it for lasting " +
    "preferences, decisions and their reasons, facts about people and projects, and solutions that were hard " +
    "to find, or when the user asks you to remember something. One self-contained statement per call, with " +
    "full names and dates. Never store passwords or keys. If the daemon is down, the memory is saved on disk " +
    "and delivered later.",
  group: "memory",
  access: "write",
  idempotent: true,
  input: {
    fields: {
      content: field.content("What to remember; must make sense without this conversation"),
      type: field.type,
      importance: field.importance,
      tags: field.tags,
      pinned: { type: "boolean", description: "Keep it permanently and show it in every session" },
      project: field.text("The project it belongs to, as a path (default: the current project)", 1000),
      hints: {
        type: "array",
        description: "Other phrases or questions that should match it",
        items: { type: "string", maxLength: 500 },
        maxItems: 20,
      },
    },
    required: ["content"],
  },
  async run(args, context) {
    const result = await remember(context.daemon, {
      content: args.need("content").trim(),
      type: args.text("type"),
      importance: args.number("importance"),
      tags: args.text("tags"),
      pinned: args.flag("pinned"),
      project: args.text("project") ?? context.project,
      hints: args.list("hints"),
    }, context.stopping);
    switch (result.kind) {
      case "failed":
        return failureReply(result.answer, context);
      case "kept": {
        const { message } = explain(result.answer, { url: context.daemon.url, binary: context.binary });
        return {
          text: `${message} The memory is saved on disk and will be delivered later; do not store it again.`,
        };
      }
      case "stored": {
        const ids = result.ids.length > 0 ? ` (id ${result.ids.join(", ")})` : "";
        // The daemon infers the type; the one that was asked for may have had no effect.
        const as = result.type === undefined ? "" : ` as ${result.type}`;
        return { text: result.known ? `Already known; nothing was added${ids}.` : `Stored${as}${ids}.` };
      }
    }
  },
};

const modify: Tool = {
  name: "memory_modify",
  title: "Change a memory",
  description:
    "Correct or extend an existing memory: pass its id, what to change, and why. Use it instead of " +
    "storing a second memory that contradicts the first.",
  group: "memory",
  access: "write",
  destructive: true,
  idempotent: true,
  input: {
    fields: {
      id: field.id,
      reason: field.reason,
      content: field.content("The complete new text"),
      type: field.type,
      importance: field.importance,
      tags: field.tags,
      pinned: { type: "boolean", description: "Keep it permanently and show it in every session" },
    },
    required: ["id", "reason"],
  },
  async run(args, context) {
    const changes = {
      content: args.text("content"),
      type: args.text("type"),
      importance: args.number("importance"),
      tags: args.text("tags"),
      pinned: args.flag("pinned"),
    };
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    if (given.length === 0) {
      return {
        text: `There is nothing to change: pass at least one of ${Object.keys(changes).join(", ")}.`,
        isError: true,
      };
    }
    const id = args.need("id").trim();
    const path = memoryPath(id);
    if (path === undefined) return BAD_ID;
    const answer = await context.daemon.request("PATCH", path, {
      ...Object.fromEntries(given),
      reason: args.need("reason"),
    });
    if (!succeeded(answer)) return failureReply(answer, context);
    return {
      text: record(answer.body)?.status === "no_changes"
        ? "Nothing changed: it already had these values."
        : `Changed ${id}.`,
    };
  },
};

const forget: Tool = {
  name: "memory_forget",
  title: "Forget a memory",
  description:
    "Remove a memory that is wrong, outdated or unwanted. Use it only when the user asks for it or the " +
    "memory is clearly false; to correct one, use memory_modify. Needs the id and a reason.",
  group: "memory",
  access: "write",
  destructive: true,
  idempotent: true,
  input: {
    fields: {
      id: field.id,
      reason: field.reason,
      force: { type: "boolean", description: "Forget it even if it is pinned" },
    },
    required: ["id", "reason"],
  },
  async run(args, context) {
    const id = args.need("id").trim();
    const path = memoryPath(id);
    if (path === undefined) return BAD_ID;
    // In the query, because some proxies drop the body of a DELETE.
    const query = new URLSearchParams({ reason: args.need("reason") });
    const force = args.flag("force") === true;
    if (force) query.set("force", "true");
    const answer = await context.daemon.request("DELETE", `${path}?${query}`);
    if (succeeded(answer)) return { text: `Forgot ${id}.` };
    // The daemon refuses to forget a pinned memory without it.
    const pinned = !force && answer.kind === "http" && answer.status === 409 &&
      answer.error?.includes("force");
    return failureReply(answer, context, pinned ? PINNED : undefined);
  },
};

const PINNED = "If the memory is pinned and the user wants it gone, pass force: true.";

export const MEMORY_WRITE_TOOLS: readonly Tool[] = [store, modify, forget];
