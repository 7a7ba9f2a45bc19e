import { type FailedReply, isMissingRoute } from "../../../hooks/daemon/describe.ts";
import { type Answer, type MemoryDaemon, record, records, succeeded } from "./daemon.ts";
import { memoryPath } from "./memory_path.ts";
import { type Memory, readMemories, readMemory } from "./memory_text.ts";

export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly type?: string;
}

export type Listed =
  | {
    readonly kind: "listed";
    readonly memories: readonly Memory[];
    /** How many rows the daemon returned, of any agent. */
    readonly rows: number;
    /**
     * Whose memories these can be: only this agent's, also those that others share
     * with it, or everyone's, because this daemon does not tell agents apart.
     */
    readonly of: "agent" | "shared" | "everyone";
  }
  | { readonly kind: "failed"; readonly answer: FailedReply };

/** Each row may take a request, and daemons limit requests to some 120 a minute. */
export const MOST_ROWS = 50;
const AT_ONCE = 5;

/**
 * The agent's memories, page by page. Daemon 0.145 answers this route with the rows
 * of every agent, and names none, and 0.58 also with forgotten ones. So each such row
 * is read again by its id: that route answers only what exists and the agent may read.
 */
export async function listMemories(daemon: MemoryDaemon, { limit, offset, type }: Page): Promise<Listed> {
  const query = new URLSearchParams({
    limit: String(Math.min(limit, MOST_ROWS)),
    offset: String(offset),
    ...(type ? { type } : {}),
  });
  const answer = await daemon.request("GET", `/api/memories?${query}`);
  if (!succeeded(answer)) return { kind: "failed", answer };
  const page = readMemories(answer.body);
  const rows = page.filter((memory) => memory.agentId === undefined || memory.agentId === daemon.agentId);
  // Not every daemon filters this route by type.
  const wanted = rows.filter((memory) => type === undefined || memory.type === type).slice(0, limit);
  const counted = { kind: "listed" as const, rows: page.length };
  if (wanted.every((memory) => memory.agentId !== undefined)) {
    return { ...counted, memories: wanted, of: "agent" };
  }
  const agents = await daemon.request("GET", "/api/agents");
  const memories: Memory[] = [];
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const batch = wanted.slice(at, at + AT_ONCE);
    const read = await Promise.all(batch.map((memory) => isReadable(daemon, memory)));
    for (const [i, result] of read.entries()) {
      const memory = batch[i];
      if (typeof result !== "boolean") return { kind: "failed", answer: result };
      if (result && memory !== undefined) memories.push(memory);
    }
  }
  const of = isMissingRoute(agents) ? "everyone" : isIsolated(agents, daemon.agentId) ? "agent" : "shared";
  return { ...counted, memories, of };
}

async function isReadable(daemon: MemoryDaemon, memory: Memory): Promise<boolean | FailedReply> {
  if (memory.agentId !== undefined) return true;
  const path = memoryPath(memory.id);
  if (path === undefined) return false;
  const answer = await daemon.request("GET", path);
  if (succeeded(answer)) {
    const owner = readMemory(answer.body)?.agentId;
    return owner === undefined || owner === daemon.agentId;
  }
  return answer.kind === "http" && (answer.status === 404 || answer.status === 403) ? false : answer;
}

function isIsolated(agents: Answer, agentId: string): boolean {
  const list = succeeded(agents) ? records(record(agents.body)?.agents) : [];
  return list.some(({ id, name, read_policy }) =>
    (id === agentId || name === agentId) && read_policy === "isolated"
  );
}
