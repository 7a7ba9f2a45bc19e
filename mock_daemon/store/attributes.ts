import type { Store } from "./store.ts";

/** A statement about an entity, such as "Nils Berg / role / work / team: leads the crew". */
export interface Attribute {
  readonly label: string;
  /** person, project, concept, … */
  readonly type: string;
  /** The aspect and the attribute's keys, joined by " / ". */
  readonly path: string;
  readonly content: string;
  readonly memoryId: string;
}

/** What was said about entities in the `structured` part of a memory. Each agent has its own. */
export class Attributes {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  add(agentId: string, attribute: Attribute): void {
    const { label, type, path, content, memoryId } = attribute;
    this.#store.sql(
      "INSERT INTO attributes (agent_id, label, type, path, content, memory_id) VALUES (?, ?, ?, ?, ?, ?)",
    ).run(agentId, label, type, path, content, memoryId);
  }

  entities(agentId: string): { label: string; type: string; mentions: number }[] {
    return this.#store.sql(
      `SELECT a.label, a.type, count(DISTINCT a.memory_id) AS n FROM attributes a
       JOIN memories m ON m.id = a.memory_id WHERE a.agent_id = ? AND m.deleted_at IS NULL
       GROUP BY a.label, a.type`,
    ).all(agentId).map((row) => ({
      label: String(row.label),
      type: String(row.type),
      mentions: Number(row.n),
    }));
  }

  /** The attributes that have keys; others never reach a prompt. */
  about(agentId: string, label: string): Attribute[] {
    return this.#store.sql(
      `SELECT a.* FROM attributes a JOIN memories m ON m.id = a.memory_id
       WHERE a.agent_id = ? AND a.label = ? AND a.path <> '' AND m.deleted_at IS NULL`,
    ).all(agentId, label).map((row) => ({
      label: String(row.label),
      type: String(row.type),
      path: String(row.path),
      content: String(row.content),
      memoryId: String(row.memory_id),
    }));
  }
}
