import type { Store } from "./store.ts";
import type { RuntimePath } from "../session/sessions.ts";

/** How long the real daemon remembers an ended session, so that a repeated end is ignored. */
const TOMBSTONE_MS = 30 * 60 * 1000;

/** Ended sessions. The real daemon keeps them in memory; with `--db` they survive a restart here. */
export class Tombstones {
  readonly #store: Store;
  readonly #clock: () => number;

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  put(agentId: string, key: string, path: RuntimePath | undefined): void {
    this.#store.sql("DELETE FROM ended_sessions WHERE expires_at < ?").run(this.#clock());
    this.#store.sql(
      `INSERT INTO ended_sessions (agent_id, session_key, runtime_path, expires_at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET runtime_path = excluded.runtime_path, expires_at = excluded.expires_at`,
    ).run(agentId, key, path ?? null, this.#clock() + TOMBSTONE_MS);
  }

  /** The runtime path that ended the session; undefined if it has not ended or no path was given. */
  endedBy(agentId: string, key: string): RuntimePath | undefined {
    const row = this.#store.sql(
      "SELECT runtime_path FROM ended_sessions WHERE agent_id = ? AND session_key = ? AND expires_at > ?",
    ).get(agentId, key, this.#clock());
    return row?.runtime_path === "plugin" || row?.runtime_path === "legacy" ? row.runtime_path : undefined;
  }

  remove(agentId: string, key: string): void {
    this.#store.sql("DELETE FROM ended_sessions WHERE agent_id = ? AND session_key = ?").run(
      agentId,
      key,
    );
  }
}
