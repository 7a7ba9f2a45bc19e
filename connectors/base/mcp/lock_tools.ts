import { stripControls } from "../../../hooks/context_text/strip_controls.ts";
import { truncate } from "../../../hooks/context_text/truncate.ts";
import type { HeldLock } from "../../../hooks/agents/locks/lock.ts";
import { lockReason } from "../../../hooks/agents/locks/lock_reason.ts";
import { isWithin, targetPath } from "../../../hooks/agents/locks/targets/target_path.ts";
import { freeLocks, locksOf, takeLocks } from "../agents/locks/locking.ts";
import type { Station } from "../agents/station.ts";
import { holder, lockPlace } from "../cli/agents/lock_output.ts";
import { UserError } from "../cli/command.ts";
import * as field from "./fields.ts";
import type { Arguments, Field, Tool, ToolContext, ToolReply } from "./tool.ts";

const BUDGET = 12_000;
/** Codex and others give up on a tool call after a minute. */
const MOST_WAIT = 50;
const AS = field.text(
  "Your handle, if several agents work in this directory (it was given at the session start)",
  200,
);
const PATHS: Field = {
  type: "array",
  description: "The files: absolute, or relative to the project",
  items: { type: "string", maxLength: 4096 },
  maxItems: 100,
};

const lock: Tool = {
  name: "file_lock",
  title: "Lock files",
  description:
    "Lock files that you are about to edit, so that other agents in this project cannot edit them at the same time: " +
    "their edits are refused. Lock before a change that spans several files or steps, say what you do in intent, and " +
    "free the files with file_unlock when you are done. All files are locked, or none. If another agent has locked " +
    "one, wait_seconds waits for it.",
  group: "mesh",
  access: "write",
  idempotent: true,
  input: {
    fields: {
      paths: PATHS,
      intent: field.text("What you are doing, for whoever is refused", 500),
      wait_seconds: {
        type: "integer",
        description: `How long to wait if another agent has locked a file (at most ${MOST_WAIT}; default: 0)`,
        minimum: 0,
        maximum: MOST_WAIT,
      },
      lease_minutes: {
        type: "integer",
        description: "How long the lock lasts; it is renewed while you work (default: 10)",
        minimum: 1,
        maximum: 24 * 60,
      },
      tree: { type: "boolean", description: "Lock directories with everything in them" },
      shared: { type: "boolean", description: "Also in other clones of this repository, on other machines" },
      as: AS,
    },
    required: ["paths"],
  },
  run: (args, context) =>
    withSession(args, context, async (station) => {
      const minutes = args.number("lease_minutes");
      const answer = await takeLocks(station, args.list("paths") ?? [], {
        intent: args.text("intent"),
        leaseMs: minutes === undefined ? undefined : minutes * 60_000,
        tree: args.flag("tree"),
        shared: args.flag("shared"),
        waitMs: (args.number("wait_seconds") ?? 0) * 1000,
      });
      if (answer.kind === "held") {
        return { text: `Nothing was locked. ${lockReason(answer.lock, answer.path)}`, isError: true };
      }
      const [first] = answer.locks;
      const until = first === undefined
        ? ""
        : ` until ${new Date(first.until).toISOString()}, renewed while you work`;
      return { text: `Locked${until}: ${answer.locks.map(({ path }) => path).join(", ")}.` };
    }),
};

const unlock: Tool = {
  name: "file_unlock",
  title: "Unlock files",
  description: "Free files that you have locked with file_lock, so that other agents can edit them again.",
  group: "mesh",
  access: "write",
  idempotent: true,
  input: {
    fields: {
      paths: PATHS,
      all: { type: "boolean", description: "All files that you have locked" },
      as: AS,
    },
    required: [],
  },
  run: (args, context) =>
    withSession(args, context, async (station) => {
      const paths = args.list("paths") ?? [];
      if (paths.length === 0 && !args.flag("all")) {
        return { text: "Pass paths, or all: true.", isError: true };
      }
      const freed = await freeLocks(station, args.flag("all") ? undefined : paths);
      if (freed.length === 0) return { text: "You hold no lock on these files." };
      return { text: `Freed: ${freed.map(({ path }) => path).join(", ")}.` };
    }),
};

const list: Tool = {
  name: "file_locks",
  title: "List locked files",
  description:
    "List the files that agents have locked: who holds them, what they do, and until when. Use it before you plan " +
    "changes, or to see what is in your way.",
  group: "mesh",
  access: "read",
  input: {
    fields: { path: field.text("Only this file, or files in this directory", 4096) },
    required: [],
  },
  run(args, context) {
    if (context.agents === undefined) return Promise.resolve(NOT_INSTALLED);
    const locks = locksOf(context.agents);
    const path = args.text("path");
    const roots = path === undefined ? [] : targetPath(path, context.project ?? "/").paths;
    const shown = [...locks.dir.list(), ...locks.shared.dir.list()]
      .filter((lock) =>
        roots.length === 0 || roots.some((root) => isWithin(lock.path, root) || isWithin(root, lock.path))
      );
    shown.sort((a, b) => a.path < b.path ? -1 : 1);
    const text = shown.length === 0 ? "No file is locked." : shown.map(line).join("\n");
    return Promise.resolve({ text: truncate(text, BUDGET, "\n[cut]") });
  },
};

function line(lock: HeldLock): string {
  const place = stripControls(lockPlace(lock)) + (lock.scope === "tree" ? " and everything in it" : "");
  return `- ${place}: ${holder(lock)}, until ${new Date(lock.until).toISOString()}`;
}

const NOT_INSTALLED: ToolReply = {
  text: "Locks need an install with --agents. Continue without them.",
  isError: true,
};

/** Runs a tool as the session that calls it. */
async function withSession(
  args: Arguments,
  { agents }: ToolContext,
  run: (station: Station) => Promise<ToolReply>,
): Promise<ToolReply> {
  if (agents === undefined) return NOT_INSTALLED;
  try {
    const here = agents.station(args.text("as"));
    if (here === undefined) {
      return {
        text: "This session does not take part yet: it does so from its next prompt on.",
        isError: true,
      };
    }
    return await run(here);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return {
      text: error.next === undefined ? error.message : `${error.message} (${error.next})`,
      isError: true,
    };
  }
}

export const LOCK_TOOLS: readonly Tool[] = [lock, unlock, list];
