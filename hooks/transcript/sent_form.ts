import type { TranscriptFormat } from "../profile.ts";
import type { Message } from "./transcript_line.ts";

/**
 * A conversation in the form that daemons keep. For Codex they keep two kinds of
 * JSON lines and reduce any other text to nothing (seen on 0.58.1 and 0.145.7);
 * for every other harness they keep `User: …` and `Assistant: …`.
 */
export function sentForm(format: TranscriptFormat, messages: readonly Message[]): string {
  if (format === "codex") return messages.map((message) => JSON.stringify(codexLine(message))).join("\n");
  return messages.map(({ role, text }) => `${LABELS[role]}: ${text}`).join("\n\n");
}

const LABELS = { user: "User", assistant: "Assistant" } as const;

function codexLine({ role, text }: Message): unknown {
  return role === "user"
    ? { type: "event_msg", payload: { type: "user_message", message: text } }
    : { type: "item.completed", item: { type: "agent_message", text } };
}

/** The messages of a text with `User: …` and `Assistant: …` lines; text before the first is the user's. */
export function textMessages(text: string): Message[] {
  const messages: Message[] = [];
  for (const part of text.split(/^(?=(?:User|Assistant): )/m)) {
    const label = /^(User|Assistant): /.exec(part);
    const clean = part.slice(label?.[0].length ?? 0).trim();
    if (clean !== "") messages.push({ role: label?.[1] === "Assistant" ? "assistant" : "user", text: clean });
  }
  return messages;
}
