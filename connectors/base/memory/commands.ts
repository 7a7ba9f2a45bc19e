import type { FailedReply } from "../../../hooks/daemon/describe.ts";
import type { MemoryDaemon } from "./daemon.ts";
import { explain, type Failure } from "./failure.ts";
import { showMemories } from "./memory_text.ts";
import { type Query, recall } from "./recall.ts";
import { MOST_CONTENT, type NewMemory, remember } from "./remember.ts";

/** The outcome of `remember` or `recall`: text for a person, data for `--json`, a code for scripts. */
export interface MemoryOutcome {
  /** 0 done or saved for later, 1 failed, 2 no text given, 6 key rejected, 7 daemon unreachable. */
  readonly code: 0 | 1 | 2 | 6 | 7;
  readonly mark: "ok" | "warn" | "fail";
  readonly text: string;
  /** What to run next. */
  readonly next?: string;
  /** Printed verbatim below the text. */
  readonly block?: string;
  readonly data: Record<string, unknown>;
}

/** `<bin> remember TEXT`: also exits 0 if the daemon is down, because the memory is then saved on disk. */
export async function rememberCommand(
  daemon: MemoryDaemon,
  memory: NewMemory,
  binary: string,
): Promise<MemoryOutcome> {
  const content = memory.content.trim();
  if (content === "") {
    return usage(
      "There is nothing to remember.",
      `${binary} remember "the staging database is called heron"`,
    );
  }
  if (content.length > MOST_CONTENT) {
    return usage(`A memory can have at most ${MOST_CONTENT} characters; this one has ${content.length}.`);
  }
  const result = await remember(daemon, { ...memory, content });
  switch (result.kind) {
    case "failed":
      return failed(result.answer, daemon, binary);
    case "kept": {
      const { message } = explain(result.answer, { url: daemon.url, binary });
      return {
        code: 0,
        mark: "warn",
        text: `${message} The memory is saved on disk and will be delivered when the daemon is back.`,
        next: `To deliver it now, run: ${binary} flush`,
        data: { status: "spooled", agentId: daemon.agentId, reason: message },
      };
    }
    case "stored": {
      const chunks = result.ids.length > 1 ? `, in ${result.ids.length} chunks` : "";
      const type = result.type ? ` as ${result.type}` : "";
      const overruled = memory.type && result.type && result.type !== memory.type && !result.known;
      return {
        code: 0,
        mark: "ok",
        text: result.known ? "Already known; nothing was added" : `Remembered${type}${chunks}`,
        next: overruled ? `The daemon assigned the type ${result.type} instead of ${memory.type}` : undefined,
        data: {
          status: result.known ? "known" : "stored",
          ids: result.ids,
          type: result.type,
          agentId: daemon.agentId,
        },
      };
    }
  }
}

/** `<bin> recall QUERY`: exits 0 if nothing matches; a failed search is an error. */
export async function recallCommand(
  daemon: MemoryDaemon,
  query: Query,
  binary: string,
): Promise<MemoryOutcome> {
  const words = query.query.trim();
  if (words === "") return usage("There is nothing to search for.", `${binary} recall "staging database"`);
  const result = await recall(daemon, { ...query, query: words, limit: query.limit ?? 10 });
  if (result.kind === "failed") return failed(result.answer, daemon, binary);
  const { memories } = result;
  const data = { query: words, agentId: daemon.agentId, count: memories.length, results: memories };
  if (memories.length === 0) return { code: 0, mark: "ok", text: "No matching memories", data };
  return {
    code: 0,
    mark: "ok",
    text: memories.length === 1 ? "1 memory" : `${memories.length} memories`,
    block: showMemories(memories, 100_000) + "\n",
    data,
  };
}

function usage(text: string, next?: string): MemoryOutcome {
  return { code: 2, mark: "fail", text, next, data: { error: text, code: 2, next } };
}

const CODES: Partial<Record<Failure["kind"], MemoryOutcome["code"]>> = {
  offline: 7,
  timeout: 7,
  "not JSON": 7,
  redirect: 7,
  unauthorized: 6,
  forbidden: 6,
};

function failed(answer: FailedReply, daemon: MemoryDaemon, binary: string): MemoryOutcome {
  const { kind, message, next } = explain(answer, { url: daemon.url, binary });
  const code = CODES[kind] ?? 1;
  return { code, mark: "fail", text: message, next, data: { error: message, code, next } };
}
