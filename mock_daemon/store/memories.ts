import type { SQLInputValue } from "node:sqlite";
import { extractNames, mentions } from "../memory/entities.ts";
import { clamp } from "../json.ts";
import type { Agents } from "./agents.ts";
import type { Store } from "./store.ts";
import { type Filter, inferType, type Memory, type NewMemory, type Reader, toMemory } from "./memory.ts";

export interface SearchResult extends Memory {
  readonly score: number;
}

export class Memories {
  readonly #store: Store;
  readonly #agents: Agents;
  readonly #clock: () => number;
  readonly #oncePerProject: boolean;

  constructor(store: Store, agents: Agents, clock: () => number, oncePerProject: boolean) {
    this.#oncePerProject = oncePerProject;
    this.#store = store;
    this.#agents = agents;
    this.#clock = clock;
  }

  /** Adds a memory, or returns the existing one with the same content or idempotency key. */
  add(memory: NewMemory): { memory: Memory; deduped: boolean; entities: string[] } {
    return this.#store.atomically(() => {
      const existing = this.#findDuplicate(memory);
      if (existing !== undefined) return { memory: existing, deduped: true, entities: [] };
      const now = new Date(this.#clock()).toISOString();
      const id = crypto.randomUUID();
      const tags = memory.tags ?? null;
      this.#store.sql(
        `INSERT INTO memories (id, content, type, tags, pinned, importance, who, project, scope, agent_id,
           visibility, source_type, source_id, idempotency_key, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        id,
        memory.content,
        memory.type ?? inferType(memory.content),
        tags,
        memory.pinned ? 1 : 0,
        memory.importance ?? 0.8,
        memory.who ?? null,
        memory.project ?? null,
        memory.scope ?? null,
        memory.agentId,
        memory.visibility ?? "global",
        memory.sourceType ?? "manual",
        memory.sourceId ?? null,
        memory.idempotencyKey ?? null,
        memory.createdAt ?? now,
        now,
      );
      this.#index(id, memory.content, tags);
      const entities = [...new Set([...extractNames(memory.content), ...(memory.entities ?? [])])];
      this.#link(id, entities);
      return { memory: this.#mustGet(id), deduped: false, entities };
    });
  }

  #findDuplicate(memory: NewMemory): Memory | undefined {
    if (memory.idempotencyKey !== undefined) {
      const row = this.#store.sql("SELECT * FROM memories WHERE agent_id = ? AND idempotency_key = ?")
        .get(memory.agentId, memory.idempotencyKey);
      if (row !== undefined) return toMemory(row);
    }
    const row = this.#store.sql(
      `SELECT * FROM memories WHERE agent_id = ? AND content = ? AND visibility = ? AND scope IS ?
         AND (? OR project IS ?) AND deleted_at IS NULL`,
    ).get(
      memory.agentId,
      memory.content,
      memory.visibility ?? "global",
      memory.scope ?? null,
      this.#oncePerProject ? 0 : 1,
      memory.project ?? null,
    );
    return row === undefined ? undefined : toMemory(row);
  }

  #index(id: string, content: string, tags: string | null): void {
    this.#store.sql("DELETE FROM memories_fts WHERE id = ?").run(id);
    this.#store.sql("INSERT INTO memories_fts (id, content, tags) VALUES (?, ?, ?)")
      .run(id, content, tags ?? "");
  }

  #link(id: string, names: readonly string[]): void {
    const insert = this.#store.sql(
      "INSERT OR IGNORE INTO entities (name, label, memory_id) VALUES (?, ?, ?)",
    );
    for (const name of names) insert.run(name.toLowerCase(), name, id);
  }

  #mustGet(id: string): Memory {
    const memory = this.find(id);
    if (memory === undefined) throw new Error(`Memory ${id} disappeared during the write.`);
    return memory;
  }

  /** Finds a memory without access checks, deleted or not. */
  find(id: string): Memory | undefined {
    const row = this.#store.sql("SELECT * FROM memories WHERE id = ?").get(id);
    return row === undefined ? undefined : toMemory(row);
  }

  get(id: string, reader: Reader): Memory | undefined {
    const [where, values] = this.#visible(reader);
    const row = this.#store.sql(`SELECT m.* FROM memories m WHERE m.id = ? AND ${where}`).get(
      id,
      ...values,
    );
    return row === undefined ? undefined : toMemory(row);
  }

  /** The SQL condition for what the reader's policy, its projects and the filter allow. */
  #visible(reader: Reader, filter: Filter = {}): [string, SQLInputValue[]] {
    const agent = this.#agents.get(reader.agentId);
    const where = ["m.deleted_at IS NULL", "m.visibility <> 'archived'"];
    const values: SQLInputValue[] = [];
    const and = (clause: string, ...params: SQLInputValue[]) => {
      where.push(clause);
      values.push(...params);
    };
    if (agent?.read_policy === "shared") {
      and("(m.agent_id = ? OR m.visibility = 'global')", reader.agentId);
    } else if (agent?.read_policy === "group") {
      and(
        `(m.agent_id = ? OR (m.visibility = 'global'
           AND m.agent_id IN (SELECT id FROM agents WHERE policy_group = ?)))`,
        reader.agentId,
        agent.policy_group,
      );
    } else and("m.agent_id = ?", reader.agentId);
    if (reader.projects !== undefined) {
      const under = reader.projects.flatMap((project) => [project, `${project}/`, `${project}/`]);
      const clause = "m.project = ? OR substr(m.project, 1, length(?)) = ?";
      and(`(m.project IS NULL${reader.projects.map(() => ` OR ${clause}`).join("")})`, ...under);
    }
    if (filter.type !== undefined) and("m.type = ?", filter.type);
    if (filter.who !== undefined) and("m.who = ?", filter.who);
    if (filter.pinned !== undefined) and("m.pinned = ?", filter.pinned ? 1 : 0);
    if (filter.importanceMin !== undefined) and("m.importance >= ?", filter.importanceMin);
    if (filter.since !== undefined) and("m.created_at >= ?", filter.since);
    if (filter.until !== undefined) and("m.created_at <= ?", filter.until);
    if (filter.project !== undefined) {
      and(`(${filter.onlyProject ? "" : "m.project IS NULL OR "}m.project = ?)`, filter.project);
    }
    if (filter.scope !== undefined) and("m.scope = ?", filter.scope);
    for (const tag of filter.tags?.split(",") ?? []) {
      if (tag.trim() !== "") and("instr(',' || coalesce(m.tags, '') || ',', ?) > 0", `,${tag.trim()},`);
    }
    return [where.join(" AND "), values];
  }

  list(reader: Reader, filter: Filter = {}): Memory[] {
    const [where, values] = this.#visible(reader, filter);
    return this.#store.sql(
      `SELECT m.* FROM memories m WHERE ${where}
       ORDER BY m.pinned DESC, m.importance DESC, m.created_at DESC, m.rowid DESC LIMIT ? OFFSET ?`,
    ).all(...values, clamp(filter.limit ?? 100, 1, 1000), clamp(filter.offset ?? 0, 0, 1e9)).map(toMemory);
  }

  /** Every agent's memories, newest first: what the real daemons list to anyone. */
  listAll(
    { limit, offset, forgotten }: { limit: number; offset: number; forgotten: boolean },
  ): { memories: Memory[]; total: number; critical: number } {
    const where = "(? OR deleted_at IS NULL)";
    const rows = this.#store.sql(
      `SELECT * FROM memories WHERE ${where} ORDER BY created_at DESC, rowid DESC LIMIT ? OFFSET ?`,
    ).all(forgotten ? 1 : 0, limit, offset);
    const counts = this.#store.sql(
      `SELECT count(*) AS total, sum(importance >= 0.9) AS critical FROM memories WHERE ${where}`,
    ).get(forgotten ? 1 : 0);
    return {
      memories: rows.map(toMemory),
      total: Number(counts?.total ?? 0),
      critical: Number(counts?.critical ?? 0),
    };
  }

  count(reader: Reader, filter: Filter = {}): number {
    const [where, values] = this.#visible(reader, filter);
    const row = this.#store.sql(`SELECT count(*) AS n FROM memories m WHERE ${where}`).get(...values);
    return Number(row?.n ?? 0);
  }

  /** Full-text search. The best hit scores 1, the others relative to it. */
  search(query: string, reader: Reader, filter: Filter = {}): SearchResult[] {
    const match = ftsQuery(query);
    if (match === undefined) return [];
    const [where, values] = this.#visible(reader, filter);
    const limit = clamp(filter.limit ?? 10, 1, 100);
    const rows = this.#store.sql(
      `SELECT m.*, bm25(memories_fts) AS rank FROM memories_fts JOIN memories m ON m.id = memories_fts.id
       WHERE memories_fts MATCH ? AND ${where} ORDER BY rank, m.rowid DESC LIMIT ?`,
    ).all(match, ...values, limit + (filter.exclude?.size ?? 0));
    const best = Math.max(...rows.map((row) => -Number(row.rank)), 1e-9);
    return rows
      .map((row) => ({
        ...toMemory(row),
        score: Math.round((0.3 + 0.7 * (-Number(row.rank) / best)) * 1e4) / 1e4,
      }))
      .filter((result) => !filter.exclude?.has(result.id))
      .slice(0, limit);
  }

  /** Every agent's memories, for the inspector, which is only served to this machine. */
  searchAll(query: string | undefined, limit: number): { memories: Memory[]; total: number } {
    const match = query === undefined ? undefined : ftsQuery(query);
    const rows = query !== undefined && match === undefined
      ? []
      : match === undefined
      ? this.#store.sql("SELECT * FROM memories WHERE deleted_at IS NULL ORDER BY rowid DESC LIMIT ?").all(
        limit,
      )
      : this.#store.sql(
        `SELECT m.* FROM memories_fts JOIN memories m ON m.id = memories_fts.id
         WHERE memories_fts MATCH ? AND m.deleted_at IS NULL ORDER BY bm25(memories_fts) LIMIT ?`,
      ).all(match, limit);
    const total = this.#store.sql("SELECT count(*) AS n FROM memories WHERE deleted_at IS NULL").get()?.n;
    return { memories: rows.map(toMemory), total: Number(total ?? 0) };
  }

  /** The known entities that a prompt mentions, each with its memories. */
  mentionedIn(prompt: string, reader: Reader, limit = 5): { name: string; memories: Memory[] }[] {
    const [where, values] = this.#visible(reader);
    const names = this.#store.sql(
      `SELECT e.name, min(e.label) AS label FROM entities e JOIN memories m ON m.id = e.memory_id
       WHERE instr(?, e.name) > 0 AND ${where} GROUP BY e.name ORDER BY length(e.name) DESC LIMIT 200`,
    ).all(prompt.toLowerCase(), ...values);
    return names
      .filter((row) => mentions(prompt, String(row.name)))
      .slice(0, limit)
      .map((row) => ({ name: String(row.label), memories: this.about(String(row.name), reader, limit) }));
  }

  about(name: string, reader: Reader, limit = 5): Memory[] {
    const [where, values] = this.#visible(reader);
    return this.#store.sql(
      `SELECT m.* FROM entities e JOIN memories m ON m.id = e.memory_id WHERE e.name = ? AND ${where}
       ORDER BY m.pinned DESC, m.importance DESC, m.created_at DESC LIMIT ?`,
    ).all(name.toLowerCase(), ...values, limit).map(toMemory);
  }

  update(
    id: string,
    change: { content?: string; type?: string; tags?: string | null; importance?: number; pinned?: boolean },
  ): Memory {
    return this.#store.atomically(() => {
      const old = this.#mustGet(id);
      const content = change.content ?? old.content;
      const tags = change.tags === undefined ? old.tags : change.tags;
      this.#store.sql(
        `UPDATE memories SET content = ?, type = ?, tags = ?, importance = ?, pinned = ?, version = version + 1,
           updated_at = ? WHERE id = ?`,
      ).run(
        content,
        change.type ?? old.type,
        tags,
        change.importance ?? old.importance,
        (change.pinned ?? old.pinned) ? 1 : 0,
        new Date(this.#clock()).toISOString(),
        id,
      );
      this.#index(id, content, tags);
      if (content !== old.content) {
        this.#store.sql("DELETE FROM entities WHERE memory_id = ?").run(id);
        this.#link(id, extractNames(content));
      }
      return this.#mustGet(id);
    });
  }

  forget(id: string): Memory {
    return this.#store.atomically(() => {
      this.#store.sql("UPDATE memories SET deleted_at = ?, version = version + 1 WHERE id = ?")
        .run(new Date(this.#clock()).toISOString(), id);
      this.#store.sql("DELETE FROM memories_fts WHERE id = ?").run(id);
      return this.#mustGet(id);
    });
  }
}

const STOP_WORDS = new Set(
  "a an and are as at be by do does for from how i in is it of on or our that the their this to was we what when where which who why with you your"
    .split(" "),
);

/** Matches any of the words, as prefixes. Quoting keeps FTS5 operators out. */
function ftsQuery(query: string): string | undefined {
  const words = [...query.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word).slice(0, 64);
  const significant = words.filter((word) => !STOP_WORDS.has(word));
  const used = significant.length > 0 ? significant : words;
  if (used.length === 0) return undefined;
  return used.map((word) => word.length > 3 ? `"${word}" OR "${word}"*` : `"${word}"`).join(" OR ");
}
