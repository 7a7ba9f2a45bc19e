import { Dropped } from "./dropped.ts";
import { checkAgentId } from "../daemon/origin.ts";
import { isKeyOrigin, type KeyOrigin } from "../daemon/agent_keys.ts";
import { isObject, parseObject } from "../json.ts";
import { exists } from "../state/exists.ts";
import { ensureDir, readStateFile, remove, syncDir, unique, writeDurable } from "../state/state_file.ts";

/** The events that must not be lost. */
export type SpoolKind = "session-end" | "compaction-complete" | "remember";

/** An event that the daemon has not confirmed, with everything needed to send it except the key. */
export interface SpoolEntry {
  /** The idempotency key: the same on every try. */
  id: string;
  kind: SpoolKind;
  /** The daemon's route. */
  path: string;
  /** The daemon it is meant for; it is sent to no other. Empty if the settings could not be read. */
  url: string;
  harness: string;
  /** Empty if the settings could not be read and nothing else named an agent. */
  agentId: string;
  /** Which key it needs; undefined in an entry of an older version. */
  keyFrom?: KeyOrigin;
  runtimePath: "legacy" | "plugin";
  /** Entries of one session are sent in order. */
  sessionKey?: string;
  body: Record<string, unknown>;
}

/** An entry as described by its file name, so that listing opens no files. */
export interface SpoolItem {
  name: string;
  /** Milliseconds since 1970, or the predecessor's plus one if the clock was set back. */
  stamp: number;
  kind: string;
  bytes: number;
}

export interface SpoolCaps {
  readonly count: number;
  readonly bytes: number;
  /** How many rejected events are kept for inspection. */
  readonly rejected: number;
}

/**
 * Beyond these limits the oldest events are dropped, and `status` and `flush` say
 * so. There is no age limit: a clock that is wrong once would delete everything.
 */
export const SPOOL_CAPS: SpoolCaps = { count: 5000, bytes: 256 * 1024 * 1024, rejected: 500 };

/** The format of an entry. A later version of this program may write a higher one. */
const FORMAT = 1;
/** The largest number with the fifteen digits of a name. */
const LAST_STAMP = 999_999_999_999_999;
/** The year 9999. What a clock shows beyond it is wrong, and every later event still needs a higher stamp. */
const LAST_CLOCK = 253_402_300_799_999;

/** An event whose conversation is still being read (draft.ts). */
export const DRAFT_SUFFIX = ".draft";

export function isDraft(name: string): boolean {
  return name.endsWith(DRAFT_SUFFIX) && !name.startsWith(".");
}

const NAME = /^(\d{15})-[0-9a-f]{8}-([a-z-]+)-(\d+)\.json$/;

/** One file per event: concurrent hooks write without contention. */
export class Spool {
  readonly dir: string;
  /** The events that the limits cost. */
  readonly dropped: Dropped;
  readonly #now: () => number;
  readonly #caps: SpoolCaps;

  constructor(stateDir: string, now: () => number = Date.now, caps: SpoolCaps = SPOOL_CAPS) {
    this.dir = `${stateDir}/spool`;
    this.dropped = new Dropped(this.dir);
    this.#now = now;
    this.#caps = caps;
  }

  /**
   * Writes an event to disk. Once this returns, the event survives a power cut; if
   * it throws, nothing was written. The event replaces its `draft`, if it has one.
   * Returns its name, and how many old events were dropped.
   */
  add(entry: SpoolEntry, draft?: string): { name: string; dropped: number } {
    ensureDir(this.dir);
    const text = JSON.stringify({ v: FORMAT, at: new Date(this.#now()).toISOString(), ...entry });
    const bytes = new TextEncoder().encode(text).length;
    const dropped = this.#makeRoom(this.list(), bytes);
    const begin = draft?.slice(0, -DRAFT_SUFFIX.length) ?? `${this.nextStamp()}-${unique()}-${entry.kind}`;
    const name = `${begin}-${bytes}.json`;
    writeDurable(this.dir, name, text);
    if (draft !== undefined) {
      // A process that is killed here leaves both: by their names they are one event.
      remove(`${this.dir}/${draft}`);
      syncDir(this.dir);
    }
    return { name, dropped };
  }

  /** The stamp of a new entry: after all others and all drafts, even if the clock was set back. */
  nextStamp(): string {
    const last = Math.max(this.list().at(-1)?.stamp ?? 0, stampOf(this.drafts().at(-1) ?? "0"));
    const clock = Math.min(Math.round(this.#now()), LAST_CLOCK);
    return String(Math.min(Math.max(clock, last + 1), LAST_STAMP)).padStart(15, "0");
  }

  /** Oldest first. */
  list(): SpoolItem[] {
    const items: SpoolItem[] = [];
    try {
      for (const { name } of Deno.readDirSync(this.dir)) {
        const parts = NAME.exec(name);
        if (parts) {
          items.push({ name, stamp: Number(parts[1]), kind: parts[2] ?? "", bytes: Number(parts[3]) });
        }
      }
    } catch {
      // No directory, no events.
    }
    return items.sort((a, b) => a.name < b.name ? -1 : 1);
  }

  /** Whether nothing waits, neither entries nor drafts. */
  isEmpty(): boolean {
    if (!exists(this.dir)) return true;
    try {
      for (const { name } of Deno.readDirSync(this.dir)) if (NAME.test(name) || isDraft(name)) return false;
    } catch {
      // No directory, no events.
    }
    return true;
  }

  /**
   * The entry in a file; `gone` if another process took it, `newer` if a later
   * version of this program wrote it, `corrupt` if it cannot be sent.
   */
  read(item: Pick<SpoolItem, "name">): SpoolEntry | "gone" | "newer" | "corrupt" {
    const file = readStateFile(`${this.dir}/${item.name}`);
    if (file.kind === "missing") return "gone";
    return file.kind === "text" ? parseEntry(file.text) : "corrupt";
  }

  /** Whether the end of this session is waiting, written at `since` or later. */
  hasEnd(session: Pick<SpoolEntry, "url" | "agentId"> & { key: string }, since: number): boolean {
    const isEnd = (name: string) => {
      const entry = this.read({ name });
      return typeof entry === "object" && entry.sessionKey === session.key && entry.url === session.url &&
        entry.agentId === session.agentId;
    };
    return this.list().some(({ name, kind, stamp }) =>
      kind === "session-end" && stamp >= since && isEnd(name)
    ) ||
      this.drafts().some((name) => name.includes("-session-end.") && stampOf(name) >= since && isEnd(name));
  }

  /** The names of the events whose conversation is still being read, or whose hook was killed. */
  drafts(): string[] {
    try {
      return [...Deno.readDirSync(this.dir)].map(({ name }) => name).filter(isDraft).sort();
    } catch {
      return [];
    }
  }

  /** Takes an event back by its name, if it has not been sent. */
  takeBack(name: string): void {
    if (NAME.test(name)) this.remove({ name });
  }

  remove({ name }: Pick<SpoolItem, "name">): void {
    // First the draft that a killed hook may have left: alone, it would become an entry again.
    remove(`${this.dir}/${draftOf(name)}`);
    remove(`${this.dir}/${name}`);
  }

  /** Moves an event that can never be sent to `rejected/`, with the label in its file name. */
  reject({ name }: Pick<SpoolItem, "name">, label: string): void {
    const dir = this.rejectedDir;
    try {
      ensureDir(dir);
      if (NAME.test(name)) remove(`${this.dir}/${draftOf(name)}`);
      const tag = label.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40);
      Deno.renameSync(`${this.dir}/${name}`, `${dir}/${name.replace(/\.(json|draft)$/, "")}.${tag}.json`);
      const names = [...Deno.readDirSync(dir)].map(({ name }) => name).sort();
      const surplus = names.slice(0, -this.#caps.rejected);
      for (const name of surplus) remove(`${dir}/${name}`);
      this.dropped.add("rejected/ was full", surplus.length, this.#now());
    } catch {
      // It stays in the spool, and the next drain rejects it again.
    }
  }

  get rejectedDir(): string {
    return `${this.dir}/rejected`;
  }

  rejectedCount(): number {
    try {
      return [...Deno.readDirSync(this.rejectedDir)].length;
    } catch {
      return 0;
    }
  }

  #makeRoom(items: SpoolItem[], bytes: number): number {
    let dropped = 0;
    let total = bytes + items.reduce((sum, item) => sum + item.bytes, 0);
    let count = items.length + 1;
    while (items.length > 0 && (count > this.#caps.count || total > this.#caps.bytes)) {
      const oldest = items.shift();
      if (oldest === undefined) break;
      total -= oldest.bytes;
      count--;
      dropped++;
      this.remove(oldest);
    }
    this.dropped.add("the spool was full", dropped, this.#now());
    return dropped;
  }
}

/**
 * Fills in the URL and agent of an entry that was written while the settings were
 * unusable (a credentials file that others can read). The defaults would store it
 * as another agent's, at a daemon that may not exist.
 */
export function bindEntry(entry: SpoolEntry, to: Pick<SpoolEntry, "url" | "agentId">): SpoolEntry {
  const url = entry.url || to.url;
  if (entry.agentId !== "") return { ...entry, url };
  const { agentId } = to;
  const { requestContext } = entry.body;
  const context = typeof requestContext === "object"
    ? { requestContext: { ...requestContext, agentId } }
    : {};
  return { ...entry, url, agentId, body: { ...entry.body, agentId, agent_id: agentId, ...context } };
}

/** The name of the draft that this entry replaced. */
export function draftOf(name: string): string {
  return name.replace(/-\d+\.json$/, DRAFT_SUFFIX);
}

/** The stamp in the name of an entry or a draft. */
function stampOf(name: string): number {
  return Number(name.slice(0, 15)) || 0;
}

/** An entry from its file's text; `corrupt` if it can never be sent. */
export function parseEntry(text: string): SpoolEntry | "newer" | "corrupt" {
  const fields = parseObject(text);
  if (fields === undefined) return "corrupt";
  if (typeof fields.v === "number" && fields.v > FORMAT) return "newer";
  const { id, kind, path, url, harness, agentId, keyFrom, runtimePath, sessionKey, body } = fields;
  if (kind !== "session-end" && kind !== "compaction-complete" && kind !== "remember") return "corrupt";
  if (
    !isObject(body) || typeof path !== "string" || !path.startsWith("/api/") || typeof url !== "string" ||
    !isHeader(id) || !isHeader(harness) || !isAgentId(agentId)
  ) return "corrupt";
  return {
    id,
    kind,
    path,
    url,
    harness,
    agentId,
    keyFrom: isKeyOrigin(keyFrom) ? keyFrom : undefined,
    runtimePath: runtimePath === "plugin" ? "plugin" : "legacy",
    sessionKey: typeof sessionKey === "string" ? sessionKey : undefined,
    body,
  };
}

/** Whether this can be the value of an HTTP header. With any other, the request fails before it is sent. */
function isHeader(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,200}$/.test(value);
}

function isAgentId(value: unknown): value is string {
  return value === "" || (typeof value === "string" && "agentId" in checkAgentId(value));
}
