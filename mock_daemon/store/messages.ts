export const MESSAGE_TYPES = ["assist_request", "decision_update", "info", "question"] as const;
export const MESSAGE_CHARS = 65_536;

/** A message as the daemon answers it. Absent fields are absent in the response too. */
export interface Message {
  readonly id: string;
  readonly createdAt: string;
  readonly fromAgentId: string;
  readonly fromSessionKey?: string;
  readonly toAgentId?: string;
  readonly toSessionKey?: string;
  /** The agent that owned the session when the message was sent. */
  readonly toSessionAgentId?: string;
  readonly content: string;
  readonly type: (typeof MESSAGE_TYPES)[number];
  readonly broadcast: boolean;
  readonly deliveryPath: "local";
  readonly deliveryStatus: "delivered";
}

const MAX_MESSAGES = 1000;
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Messages between agents. In memory only, like the real daemon: a restart loses them. */
export class Messages {
  #messages: Message[] = [];
  readonly #listeners = new Set<(message: Message) => void>();
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  add(message: Message): void {
    this.#messages = [message, ...this.all()].slice(0, MAX_MESSAGES);
    for (const listener of this.#listeners) listener(message);
  }

  /** Newest first. */
  all(): Message[] {
    const oldest = this.#clock() - MAX_AGE_MS;
    return this.#messages.filter(({ createdAt }) => Date.parse(createdAt) >= oldest);
  }

  listen(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Reports whether an agent sees a message; a broadcast also reaches its sender. */
export function isFor(
  message: Message,
  reader: { readonly agentId: string; readonly sessionKey?: string; readonly broadcasts: boolean },
): boolean {
  if (reader.sessionKey !== undefined && message.toSessionKey === reader.sessionKey) return true;
  return message.toAgentId === reader.agentId || message.toSessionAgentId === reader.agentId ||
    (message.broadcast && reader.broadcasts);
}
