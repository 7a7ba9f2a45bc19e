import type { Store } from "./store.ts";

export type ReadPolicy = "isolated" | "shared" | "group";
export const READ_POLICIES: readonly ReadPolicy[] = ["isolated", "shared", "group"];

export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly read_policy: ReadPolicy;
  readonly policy_group: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export class Agents {
  readonly #store: Store;
  readonly #clock: () => number;

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
    this.ensure("default");
  }

  list(): Agent[] {
    return this.#store.sql("SELECT * FROM agents ORDER BY created_at, id").all().map(toAgent);
  }

  get(id: string): Agent | undefined {
    const row = this.#store.sql("SELECT * FROM agents WHERE id = ?").get(id);
    return row === undefined ? undefined : toAgent(row);
  }

  /** The real daemon registers every agent named by a hook, with a shared read policy. */
  ensure(id: string): void {
    if (this.get(id) === undefined) this.add(id, "shared", null);
  }

  add(id: string, policy: ReadPolicy, group: string | null): Agent {
    const now = new Date(this.#clock()).toISOString();
    this.#store.sql(
      `INSERT INTO agents (id, name, read_policy, policy_group, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET read_policy = excluded.read_policy,
         policy_group = excluded.policy_group, updated_at = excluded.updated_at`,
    ).run(id, id, policy, group, now, now);
    return { id, name: id, read_policy: policy, policy_group: group, created_at: now, updated_at: now };
  }

  remove(id: string, purge: boolean): boolean {
    return this.#store.atomically(() => {
      if (purge) {
        this.#store.sql(
          "DELETE FROM memories_fts WHERE id IN (SELECT id FROM memories WHERE agent_id = ?)",
        ).run(id);
        this.#store.sql("DELETE FROM memories WHERE agent_id = ?").run(id);
      }
      return this.#store.sql("DELETE FROM agents WHERE id = ?").run(id).changes > 0;
    });
  }
}

function toAgent(row: Record<string, unknown>): Agent {
  return {
    id: String(row.id),
    name: String(row.name),
    read_policy: READ_POLICIES.find((policy) => policy === row.read_policy) ?? "isolated",
    policy_group: typeof row.policy_group === "string" ? row.policy_group : null,
    created_at: String(row.created_at),
    updated_at: String(row.updated_at),
  };
}
