import { type Identity, IDENTITY_FILES } from "./identity.ts";
import type { Memory } from "../store/memory.ts";

/** The real daemon's limit of 12,000 tokens, at four characters per token. */
const TOTAL_CHARS = 48_000;

function date(now: number): string {
  const when = new Date(now);
  const day = when.toLocaleDateString("en-US", {
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
    timeZone: "UTC",
  });
  return `# Current Date & Time\n${day} at ${when.toISOString().slice(11, 16)} (UTC)\n`;
}

function truncate(content: string, budget: number): string {
  const trimmed = content.trim();
  return trimmed.length <= budget ? trimmed : `${trimmed.slice(0, budget)}\n[truncated]`;
}

/** The context for the first session-start of a session. */
export function fullInject(identity: Identity, memories: readonly Memory[], now: number): string {
  const parts = [
    "[signet active]\nYour identity and memory are loaded below. Use /remember and /recall.",
    date(now),
  ];
  for (const { file, heading, budget } of IDENTITY_FILES) {
    const content = identity.texts[file];
    if (content !== undefined) parts.push(`## ${heading}\n\n${truncate(content, budget)}\n`);
  }
  if (memories.length > 0) {
    parts.push(`## Relevant Memories\n\n${memories.map((memory) => `- ${memory.content}`).join("\n")}\n`);
  }
  return truncate(parts.join("\n"), TOTAL_CHARS);
}

/** The short context for every later session-start of the same session. */
export function stubInject(now: number): string {
  return `[memory active | /remember | /recall]\n${date(now)}`;
}

/** The context for a prompt that mentions known entities. */
export function entityInject(named: readonly { name: string; memories: readonly Memory[] }[]): string {
  return named.map(({ name, memories }) =>
    [
      `[signet:context | entity="${name}" | results=${memories.length} | engine=entity-context]`,
      ...memories.map((memory) => `- ${memory.content}`),
    ].join("\n")
  ).join("\n\n");
}

export const SUMMARY_GUIDELINES =
  "Keep decisions and their reasons, open tasks, names of files and people, and what " +
  "the user asked to be remembered. Leave out small talk and tool output.";

export function summaryPrompt(memories: readonly Memory[], sessionContext: string | undefined): string {
  const parts = [
    "[signet:pre-compaction]",
    "Summarize this session so that work can go on without the full conversation.",
    SUMMARY_GUIDELINES,
  ];
  if (sessionContext !== undefined) parts.push(`Session context:\n${truncate(sessionContext, 2_000)}`);
  if (memories.length > 0) {
    parts.push(`Already remembered:\n${memories.map((memory) => `- ${memory.content}`).join("\n")}`);
  }
  return parts.join("\n\n");
}
