import { text } from "../json.ts";

export type Visibility = "global" | "private" | "archived";
export const VISIBILITIES: readonly Visibility[] = ["global", "private", "archived"];

export interface Memory {
  readonly id: string;
  readonly content: string;
  readonly type: string;
  /** Comma-separated, as the daemon answers them. */
  readonly tags: string | null;
  readonly pinned: boolean;
  readonly importance: number;
  readonly who: string | null;
  readonly project: string | null;
  readonly scope: string | null;
  readonly agent_id: string;
  readonly visibility: Visibility;
  readonly source_type: string | null;
  readonly source_id: string | null;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
}

export interface NewMemory {
  readonly content: string;
  readonly agentId: string;
  readonly type?: string;
  readonly tags?: string | null;
  readonly pinned?: boolean;
  readonly importance?: number;
  readonly who?: string;
  readonly project?: string;
  readonly scope?: string;
  readonly visibility?: Visibility;
  readonly sourceType?: string;
  readonly sourceId?: string;
  readonly idempotencyKey?: string;
  readonly createdAt?: string;
  /** Entity names in addition to those found in the content. */
  readonly entities?: readonly string[];
}

/** The agent and the projects whose memories a caller may read. */
export interface Reader {
  readonly agentId: string;
  readonly projects?: readonly string[];
}

export interface Filter {
  readonly type?: string;
  readonly tags?: string;
  readonly who?: string;
  readonly pinned?: boolean;
  readonly importanceMin?: number;
  readonly since?: string;
  readonly until?: string;
  readonly project?: string;
  /** Leaves out memories without a project. */
  readonly onlyProject?: boolean;
  readonly scope?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly exclude?: ReadonlySet<string>;
}

export function toMemory(row: Record<string, unknown>): Memory {
  return {
    id: String(row.id),
    content: String(row.content),
    type: String(row.type),
    tags: text(row.tags) ?? null,
    pinned: row.pinned === 1,
    importance: Number(row.importance),
    who: text(row.who) ?? null,
    project: text(row.project) ?? null,
    scope: text(row.scope) ?? null,
    agent_id: String(row.agent_id),
    visibility: VISIBILITIES.find((known) => known === row.visibility) ?? "global",
    source_type: text(row.source_type) ?? null,
    source_id: text(row.source_id) ?? null,
    version: Number(row.version),
    created_at: String(row.created_at),
    updated_at: String(row.updated_at),
    deleted_at: text(row.deleted_at) ?? null,
  };
}

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\b(prefers?|likes?|favou?rite|rather)\b/i, "preference"],
  [/\b(decided|decision|chose|agreed|we will)\b/i, "decision"],
  [/\b(always|never|must|rule)\b/i, "rule"],
  [/\b(learned|discovered|found out|turns out)\b/i, "learning"],
  [/\b(bugs?|issues?|broken|fails?|error)\b/i, "issue"],
];

/** The daemon infers the type; a `type` in the body is ignored. */
export function inferType(content: string): string {
  return TYPES.find(([pattern]) => pattern.test(content))?.[1] ?? "fact";
}

/** `critical: …` pins, `[a,b]: …` tags. */
export function readPrefix(raw: string): { content: string; critical: boolean; tags: string[] } {
  let content = raw.trim();
  const critical = /^critical:/i.test(content);
  if (critical) content = content.slice("critical:".length).trim();
  const tagged = /^\[([^\]\n]{1,200})\]:\s*/.exec(content);
  if (tagged === null) return { content, critical, tags: [] };
  const tags = (tagged[1] ?? "").split(",").map((tag) => tag.trim()).filter((tag) => tag !== "");
  return { content: content.slice(tagged[0].length).trim(), critical, tags };
}

/** Splits content into parts of at most `size` characters, between words where it can. */
export function chunks(content: string, size: number): string[] {
  const parts: string[] = [];
  let rest = content;
  while (rest.length > size) {
    const head = rest.slice(0, size);
    const cut = Math.max(head.lastIndexOf("\n"), head.lastIndexOf(". ") + 1, head.lastIndexOf(" "));
    const at = cut > size / 2 ? cut : size;
    parts.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  if (rest !== "") parts.push(rest);
  return parts.filter((part) => part !== "");
}
