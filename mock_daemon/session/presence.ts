import type { RuntimePath } from "./sessions.ts";

/** The real daemon forgets a session that was silent for four hours. */
const STALE_MS = 4 * 60 * 60 * 1000;

export interface PresenceInput {
  readonly sessionKey?: string;
  readonly agentId: string;
  readonly harness: string;
  readonly project?: string;
  readonly runtimePath?: RuntimePath;
  readonly provider?: string;
}

/** A running session, as other agents see it. Absent fields are absent in the response too. */
export interface PresenceEntry extends PresenceInput {
  readonly key: string;
  readonly startedAt: string;
  readonly lastSeenAt: string;
}

export interface PresenceEvent {
  readonly type: "presence";
  readonly action: "upsert" | "remove";
  readonly presence: PresenceEntry;
  readonly activeCount: number;
  readonly timestamp: string;
}

/** Who asks for presence, and what to leave out. */
export interface PresenceQuery {
  readonly agentId: string;
  readonly sessionKey?: string;
  readonly project?: string;
  readonly includeSelf: boolean;
}

/** Reports whether an entry answers a query: not the caller's own, unless it is another of its sessions. */
export function isShownTo(query: PresenceQuery, entry: PresenceEntry): boolean {
  if (query.project !== undefined && entry.project !== query.project) return false;
  if (query.includeSelf || entry.agentId !== query.agentId) return true;
  return query.sessionKey !== undefined && entry.sessionKey !== undefined &&
    entry.sessionKey !== query.sessionKey;
}

function keyOf({ sessionKey, agentId, harness, project }: PresenceInput): string {
  if (sessionKey !== undefined) return `session:${sessionKey}`;
  return `ephemeral:${[agentId, harness, project ?? "*"].map(encodeURIComponent).join(":")}`;
}

/** The running sessions. In memory only, and keyed by session alone, like the real daemon. */
export class Presence {
  readonly #entries = new Map<string, PresenceEntry>();
  readonly #listeners = new Set<(event: PresenceEvent) => void>();
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  record(input: PresenceInput): PresenceEntry {
    this.#dropStale();
    const now = new Date(this.#clock()).toISOString();
    const key = keyOf(input);
    const entry = { key, ...input, startedAt: this.#entries.get(key)?.startedAt ?? now, lastSeenAt: now };
    this.#entries.set(key, entry);
    this.#emit("upsert", entry);
    return entry;
  }

  list(): PresenceEntry[] {
    this.#dropStale();
    return [...this.#entries.values()].sort((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt));
  }

  forSession(sessionKey: string): PresenceEntry | undefined {
    this.#dropStale();
    return this.#entries.get(`session:${sessionKey}`);
  }

  remove(sessionKey: string): boolean {
    const entry = this.forSession(sessionKey);
    if (entry === undefined) return false;
    this.#entries.delete(entry.key);
    this.#emit("remove", entry);
    return true;
  }

  listen(listener: (event: PresenceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #emit(action: PresenceEvent["action"], presence: PresenceEntry): void {
    const timestamp = new Date(this.#clock()).toISOString();
    const event = { type: "presence", action, presence, activeCount: this.#entries.size, timestamp } as const;
    for (const listener of this.#listeners) listener(event);
  }

  #dropStale(): void {
    const oldest = this.#clock() - STALE_MS;
    for (const [key, { lastSeenAt }] of this.#entries) {
      if (Date.parse(lastSeenAt) < oldest) this.#entries.delete(key);
    }
  }
}
