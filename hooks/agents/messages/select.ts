import type { Message, Priority } from "./message.ts";

/** When a message can be shown. */
export type Moment =
  /** A session begins. */
  | "start"
  /** The user wrote. */
  | "prompt"
  /** A tool is about to run. */
  | "pre-tool"
  /** A tool has run. */
  | "post-tool"
  /** The agent is done with its answer. */
  | "turn-end"
  /** The agent does nothing, and can be woken. */
  | "idle"
  /** The agent or the user asked for it. */
  | "asked";

/** The lowest priority that is shown at each moment. */
const LOWEST: { readonly [M in Moment]: Priority } = {
  start: 1,
  prompt: 1,
  "pre-tool": 4,
  "post-tool": 3,
  "turn-end": 2,
  idle: 3,
  asked: 1,
};

export interface Limits {
  readonly messages: number;
  readonly chars: number;
}

/** A model that reads a dozen messages between two tool calls loses its thread. */
export const LIMITS: Limits = { messages: 5, chars: 6_000 };

export function isDue(priority: Priority, moment: Moment): boolean {
  return priority >= LOWEST[moment];
}

/**
 * The order in which messages are shown: those of one sender as they were sent,
 * between senders by priority and then by time. An urgent message pulls the
 * earlier ones of its sender forward.
 */
export function inOrder(messages: readonly Message[]): Message[] {
  const byTime = [...messages].sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  const urgency = new Map<string, Priority>();
  const ranked: { message: Message; rank: Priority }[] = [];
  for (const message of byTime.toReversed()) {
    const sender = senderKey(message);
    const later = urgency.get(sender) ?? 1;
    const rank = message.priority > later ? message.priority : later;
    urgency.set(sender, rank);
    ranked.push({ message, rank });
  }
  return ranked.toReversed().sort((a, b) => b.rank - a.rank).map(({ message }) => message);
}

/** As many of the first messages as the limits allow, and at least one. */
export function withinLimits(messages: readonly Message[], limits: Limits): Message[] {
  const chosen: Message[] = [];
  let chars = 0;
  for (const message of messages) {
    chars += message.text.length;
    if (chosen.length > 0 && (chosen.length >= limits.messages || chars > limits.chars)) break;
    chosen.push(message);
  }
  return chosen;
}

/** Messages of one sender are shown in the order in which they were sent. */
export function senderKey({ from }: Pick<Message, "from">): string {
  return `${from.agentId} ${from.harness ?? ""} ${from.session ?? ""}`;
}
