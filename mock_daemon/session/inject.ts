import { type Identity, IDENTITY_FILES } from "./identity.ts";
import type { PresenceEntry } from "./presence.ts";
import type { Memory } from "../store/memory.ts";

/** The real daemon's limit of 12,000 tokens, at four characters per token. */
const TOTAL_CHARS = 48_000;
/** 0.58's limit. */
const TOTAL_CHARS_0_58 = 24_000;

const DATE = { weekday: "long", year: "numeric", month: "long", day: "numeric", timeZone: "UTC" } as const;
const TIME = { hour: "numeric", minute: "2-digit", timeZone: "UTC" } as const;

export function dateHeader(now: number): string {
  const when = new Date(now);
  const day = when.toLocaleDateString("en-US", DATE);
  // Newer ICU data puts a narrow space before AM and PM.
  const time = when.toLocaleTimeString("en-US", TIME).replace(/\s/g, " ");
  return `# Current Date & Time\n${day} at ${time} (UTC)`;
}

function truncate(content: string, budget: number): string {
  const trimmed = content.trim();
  return trimmed.length <= budget ? trimmed : `${trimmed.slice(0, budget)}\n[truncated]`;
}

/** What the text of a session-start is made of. */
export interface StartContext {
  readonly identity: Identity;
  readonly memories: readonly Memory[];
  readonly now: number;
  /** The sessions of other agents. */
  readonly peers: readonly PresenceEntry[];
  /** What the last session in this project left. */
  readonly recovery: string | undefined;
}

function identitySections(identity: Identity): string[] {
  return IDENTITY_FILES.flatMap(({ file, heading, budget }) => {
    const content = identity.texts[file];
    return content === undefined ? [] : [`## ${heading}\n\n${truncate(content, budget)}\n`];
  });
}

/** The context for the first session-start of a session. */
export function designStart({ identity, memories, now }: StartContext): string {
  const parts = [
    "[signet active]\nYour identity and memory are loaded below. Use /remember and /recall.",
    `${dateHeader(now)}\n`,
    ...identitySections(identity),
  ];
  if (memories.length > 0) {
    parts.push(`## Relevant Memories\n\n${memories.map((memory) => `- ${memory.content}`).join("\n")}\n`);
  }
  return truncate(parts.join("\n"), TOTAL_CHARS);
}

const ACTIVE = "[memory active | /remember | /recall]";

function shortDate(iso: string): string {
  const options = { month: "short", day: "numeric", year: "numeric", timeZone: "UTC" } as const;
  return new Date(iso).toLocaleDateString("en-US", options);
}

export function memoryLine({ content, tags, created_at }: Memory): string {
  return `- ${content}${tags === null ? "" : ` [${tags}]`} (${shortDate(created_at)})`;
}

function realStart(context: StartContext): string {
  const { identity, memories, now, peers, recovery } = context;
  const parts = [`${ACTIVE}\n`, `${dateHeader(now)}\n`];
  if (peers.length > 0) {
    const line = ({ agentId, harness, project, sessionKey }: PresenceEntry) =>
      `- ${agentId} (${harness})${project === undefined ? "" : ` project=${project}`}` +
      `${sessionKey === undefined ? "" : ` session=${sessionKey}`} [seen just now]`;
    const lead = "Other Signet agent sessions are active right now:";
    parts.push(`\n## Active Peer Sessions\n\n${lead}\n${peers.slice(0, 6).map(line).join("\n")}`);
  }
  parts.push("", ...identitySections(identity));
  if (memories.length > 0) {
    parts.push(
      `## Relevant Memories (auto-loaded | scored by importance x recency | ${memories.length} results)\n`,
      ...memories.map(memoryLine),
    );
  }
  if (recovery !== undefined) parts.push(`## Session Recovery Context\n${recovery}`);
  return parts.join("\n");
}

/** 0.58's full text begins with the same words as its stub. */
export function start058(context: StartContext): string {
  return truncate(realStart(context), TOTAL_CHARS_0_58);
}

/** 0.145 puts instructions first, and names tools that connectors may lack. */
export function start145(context: StartContext): string {
  const tools = [
    "memory_search",
    "lcm_expand",
    "knowledge_expand",
    "knowledge_expand_session",
    "memory_store",
  ];
  const lead = [
    "[signet active]",
    "You have persistent memory managed by Signet.",
    "",
    "Memory tools:",
    ...tools.map((name) => `- mcp__signet__${name}`),
    "",
    "Secrets:",
    "- mcp__signet__secret_list",
    "- mcp__signet__secret_exec",
    "",
    "",
  ].join("\n");
  return truncate(lead + realStart(context), TOTAL_CHARS);
}

/** The short context for every later session-start of the same session. */
export function stubInject(now: number): string {
  return `${ACTIVE}\n${dateHeader(now)}`;
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
