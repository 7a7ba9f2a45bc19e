import { handleOf } from "../../../../hooks/agents/sessions/handle.ts";

/** The inbox that an event of the log is about. */
interface InboxEvent {
  readonly event: string;
  readonly harness: string;
  readonly session: string;
}

/** The first that applies. */
const STATES: readonly [event: string, state: string][] = [
  ["failed", "failed"],
  ["refused", "refused"],
  ["done", "done"],
  ["working", "working"],
  ["seen", "seen"],
  ["shown", "seen"],
  ["expired", "expired"],
  ["put", "waiting"],
];

/** What became of a message, from the events of the log that name it. */
export function messageState(events: readonly InboxEvent[], isAnswered: boolean): string {
  const names = new Set(events.filter((event) => !isGivenAway(event)).map(({ event }) => event));
  if (names.has("failed")) return "failed";
  if (isAnswered) return "answered";
  return STATES.find(([event]) => names.has(event))?.[1] ?? "sent";
}

/** Whether the event says that somebody saw the message. */
export function isSeen(event: InboxEvent): boolean {
  return (event.event === "seen" || event.event === "shown") && !isGivenAway(event);
}

/** A mailbox keeps messages for a session that has not begun; being taken out of it is not being seen. */
function isGivenAway({ event, harness, session }: InboxEvent): boolean {
  return event === "shown" && (harness === "agent" || session === "*");
}

/** Whose inbox it is: `codex-3f9a`, `agent bob`, `a person`. */
export function inboxOwner({ harness, session }: Pick<InboxEvent, "harness" | "session">): string {
  if (harness === "person") return "a person";
  if (harness === "agent") return `agent ${session}`;
  if (session === "*") return harness;
  return harness === "" ? session : handleOf({ harness, key: session });
}
