import type { Store } from "./store.ts";

export const MESSAGE_TYPES = ["assist_request", "decision_update", "info", "question"] as const;
export const MESSAGE_CHARS = 65_536;

export interface Message {
  readonly id: string;
  readonly createdAt: string;
  readonly fromAgentId: string;
  readonly fromSessionKey: string | null;
  readonly toAgentId: string | null;
  readonly toSessionKey: string | null;
  readonly content: string;
  readonly type: (typeof MESSAGE_TYPES)[number];
  readonly broadcast: boolean;
  readonly deliveryPath: "local";
  readonly deliveryStatus: "delivered";
}

/** Messages between agents. */
export class Messages {
  readonly #store: Store;
  readonly #listeners = new Set<(message: Message) => void>();

  constructor(store: Store) {
    this.#store = store;
  }

  add(message: Message): void {
    this.#store.sql("INSERT INTO messages (id, body, created_at) VALUES (?, ?, ?)")
      .run(message.id, JSON.stringify(message), message.createdAt);
    for (const listener of this.#listeners) listener(message);
  }

  all(): Message[] {
    return this.#store.sql("SELECT body FROM messages ORDER BY rowid DESC LIMIT 1000").all()
      .map((row): Message => JSON.parse(String(row.body)));
  }

  listen(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Reports whether a message is addressed to this agent or session. */
export function isFor(
  message: Message,
  agentId: string,
  sessionKey: string | undefined,
  broadcasts: boolean,
): boolean {
  if (message.fromAgentId === agentId && !message.broadcast && message.toAgentId !== agentId) return false;
  if (message.broadcast) return broadcasts && message.fromAgentId !== agentId;
  if (message.toSessionKey !== null && message.toSessionKey === sessionKey) return true;
  return message.toAgentId === agentId;
}
