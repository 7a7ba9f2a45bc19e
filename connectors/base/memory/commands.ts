import type { FailedReply } from "../../../hooks/daemon/describe.ts";
import type { MemoryDaemon } from "./daemon.ts";
import { explain, type Failure } from "./failure.ts";
import { showMemories } from "./memory_text.ts";
import { type Query, recall } from "./recall.ts";
import { MOST_CONTENT, type NewMemory, remember } from "./remember.ts";

/** What `remember` and `recall` leave: for a person, for `--json`, and for a script. */
export interface MemoryOutcome {
  /** 0 done or kept for later, 1 failed, 2 nothing to do it with, 6 key rejected, 7 daemon unreachable. */
  readonly code: 0 | 1 | 2 | 6 | 7;
  readonly mark: "ok" | "warn" | "fail";
  readonly text: string;
  /** What to run next. */
  readonly next?: string;
  /** Printed as it is, below the text. */
  readonly block?: string;
  readonly data: Record<string, unknown>;
}

/** `<bin> remember TEXT`: exit 0 also where the daemon is away, for the memory is then safe on disk. */
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
    return usage(`A memory has at most ${MOST_CONTENT} characters, and this has ${content.length}.`);
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
        text: `${message} The memory waits on disk, and is delivered when the daemon is back.`,
        next: `To deliver it by hand, run: ${binary} flush`,
        data: { status: "spooled", agentId: daemon.agentId, reason: message },
      };
    }
    case "stored": {
      const pieces = result.ids.length > 1 ? `, in ${result.ids.length} pieces` : "";
      const type = result.type ? ` as ${result.type}` : "";
      const unlike = memory.type && result.type && result.type !== memory.type && !result.known;
      return {
        code: 0,
        mark: "ok",
        text: result.known ? "Known already; nothing was added" : `Remembered${type}${pieces}`,
        next: unlike ? `The daemon chose the type ${result.type} and kept it over ${memory.type}` : undefined,
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

/** `<bin> recall QUERY`: finding nothing is an answer, so exit 0; not being able to look is not. */
export async function recallCommand(
  daemon: MemoryDaemon,
  query: Query,
  binary: string,
): Promise<MemoryOutcome> {
  const words = query.query.trim();
  if (words === "") return usage("There is nothing to look for.", `${binary} recall "staging database"`);
  const result = await recall(daemon, { ...query, query: words, limit: query.limit ?? 10 });
  if (result.kind === "failed") return failed(result.answer, daemon, binary);
  const { memories } = result;
  const data = { query: words, agentId: daemon.agentId, count: memories.length, results: memories };
  if (memories.length === 0) return { code: 0, mark: "ok", text: "No memory matches", data };
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
