import { isKeyOrigin, type KeyOrigin } from "../daemon/agent_keys.ts";
import { isObject, parseObject } from "../json.ts";
import { ensureDir, readState, remove, unique, writeDurable } from "../state/state_file.ts";

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
  readonly ageMs: number;
}

/** Beyond these limits the oldest events are dropped. `status` shows them. */
export const SPOOL_CAPS: SpoolCaps = { count: 5000, bytes: 256 * 1024 * 1024, ageMs: 30 * 24 * 3600 * 1000 };
/** How many rejected events are kept for inspection. */
const REJECTED_COUNT = 500;

const NAME = /^(\d{15})-[0-9a-f]{8}-([a-z-]+)-(\d+)\.json$/;

/** One file per event: concurrent hooks write without contention. */
export class Spool {
  readonly dir: string;
  readonly #now: () => number;
  readonly #caps: SpoolCaps;

  constructor(stateDir: string, now: () => number = Date.now, caps: SpoolCaps = SPOOL_CAPS) {
    this.dir = `${stateDir}/spool`;
    this.#now = now;
    this.#caps = caps;
  }

  /**
   * Writes an event to disk. Once this returns, the event survives a power cut; if
   * it throws, nothing was written. Returns its name, and how many old events were dropped.
   */
  add(entry: SpoolEntry): { name: string; dropped: number } {
    ensureDir(this.dir);
    const items = this.list();
    const text = JSON.stringify({ v: 1, at: new Date(this.#now()).toISOString(), ...entry });
    const bytes = new TextEncoder().encode(text).length;
    const dropped = this.#makeRoom(items, bytes);
    // If the clock was set back, the order of events must not change.
    const stamp = Math.max(Math.round(this.#now()), (items.at(-1)?.stamp ?? 0) + 1);
    const name = `${String(stamp).padStart(15, "0")}-${unique()}-${entry.kind}-${bytes}.json`;
    writeDurable(this.dir, name, text);
    return { name, dropped };
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

  isEmpty(): boolean {
    try {
      for (const { name } of Deno.readDirSync(this.dir)) if (NAME.test(name)) return false;
    } catch {
      // No directory, no events.
    }
    return true;
  }

  /** The entry in a file; `gone` if another process took it, `corrupt` if it is malformed. */
  read(item: SpoolItem): SpoolEntry | "gone" | "corrupt" {
    const text = readState(`${this.dir}/${item.name}`);
    if (text === undefined) return "gone";
    return parseEntry(text) ?? "corrupt";
  }

  /** Whether the end of this session is waiting, written at `since` or later. */
  hasEnd(session: Pick<SpoolEntry, "url" | "agentId"> & { key: string }, since: number): boolean {
    return this.list().some((item) => {
      if (item.kind !== "session-end" || item.stamp < since) return false;
      const entry = this.read(item);
      return typeof entry === "object" && entry.sessionKey === session.key && entry.url === session.url &&
        entry.agentId === session.agentId;
    });
  }

  /** Takes an event back by its name, if it has not been sent. */
  takeBack(name: string): void {
    if (NAME.test(name)) remove(`${this.dir}/${name}`);
  }

  remove(item: SpoolItem): void {
    remove(`${this.dir}/${item.name}`);
  }

  /** Moves an event that can never be sent to `rejected/`, with the label in its file name. */
  reject(item: SpoolItem, label: string): void {
    const dir = this.rejectedDir;
    try {
      ensureDir(dir);
      const tag = label.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40);
      Deno.renameSync(`${this.dir}/${item.name}`, `${dir}/${item.name.replace(/\.json$/, `.${tag}.json`)}`);
      const names = [...Deno.readDirSync(dir)].map(({ name }) => name).sort();
      for (const name of names.slice(0, -REJECTED_COUNT)) remove(`${dir}/${name}`);
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

/** An entry from its file's text; undefined if anything needed is missing. */
export function parseEntry(text: string): SpoolEntry | undefined {
  const fields = parseObject(text);
  const body = fields?.body;
  if (fields === undefined || !isObject(body)) return undefined;
  const { id, kind, path, url, harness, agentId, keyFrom, runtimePath, sessionKey } = fields;
  if (kind !== "session-end" && kind !== "compaction-complete" && kind !== "remember") return undefined;
  if (
    typeof id !== "string" || typeof path !== "string" || !path.startsWith("/api/") ||
    typeof url !== "string" ||
    typeof harness !== "string" || typeof agentId !== "string"
  ) return undefined;
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
