import { isObject, parseObject } from "../json.ts";
import { ensureDir, readState, remove, unique, writeDurable } from "../state/state_file.ts";

/** What must arrive. */
export type SpoolKind = "session-end" | "compaction-complete" | "remember";

/** An event that the daemon has not acknowledged, with all that is needed to send it but the key. */
export interface SpoolEntry {
  /** The idempotency key: the same on every try. */
  id: string;
  kind: SpoolKind;
  /** The daemon's route. */
  path: string;
  /** The daemon it was meant for; it goes to no other. Empty where the settings could not be read. */
  url: string;
  harness: string;
  /** Empty where the settings could not be read, and nothing else named one. */
  agentId: string;
  runtimePath: "legacy" | "plugin";
  /** Entries of one session are sent in order. */
  sessionKey?: string;
  body: Record<string, unknown>;
}

/** An entry as its file name tells it: a listing needs to open nothing. */
export interface SpoolItem {
  name: string;
  /** Milliseconds since 1970, or later than its predecessor's where the clock went back. */
  stamp: number;
  kind: string;
  bytes: number;
}

export interface SpoolCaps {
  readonly count: number;
  readonly bytes: number;
  readonly ageMs: number;
}

/** Beyond these the oldest make room; status shows them. */
export const SPOOL_CAPS: SpoolCaps = { count: 5000, bytes: 256 * 1024 * 1024, ageMs: 30 * 24 * 3600 * 1000 };
/** A refused event is kept this long for a person to look at. */
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
   * Puts an event on disk. When this returns it survives a power cut; when it
   * throws, nothing was kept. Returns how many old events had to make room.
   */
  add(entry: SpoolEntry): number {
    ensureDir(this.dir);
    const items = this.list();
    const text = JSON.stringify({ v: 1, at: new Date(this.#now()).toISOString(), ...entry });
    const bytes = new TextEncoder().encode(text).length;
    const dropped = this.#makeRoom(items, bytes);
    // A clock that was set back must not put an end before its beginning.
    const stamp = Math.max(Math.round(this.#now()), (items.at(-1)?.stamp ?? 0) + 1);
    const name = `${String(stamp).padStart(15, "0")}-${unique()}-${entry.kind}-${bytes}.json`;
    writeDurable(this.dir, name, text);
    return dropped;
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

  /** The entry in a file; `gone` if another process took it, `corrupt` if it is not one. */
  read(item: SpoolItem): SpoolEntry | "gone" | "corrupt" {
    const text = readState(`${this.dir}/${item.name}`);
    if (text === undefined) return "gone";
    return parseEntry(text) ?? "corrupt";
  }

  remove(item: SpoolItem): void {
    remove(`${this.dir}/${item.name}`);
  }

  /** Parks what the daemon definitively refused, or what cannot be read, with the reason in its name. */
  reject(item: SpoolItem, reason: string): void {
    const dir = this.rejectedDir;
    try {
      ensureDir(dir);
      const tag = reason.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40);
      Deno.renameSync(`${this.dir}/${item.name}`, `${dir}/${item.name.replace(/\.json$/, `.${tag}.json`)}`);
      const names = [...Deno.readDirSync(dir)].map(({ name }) => name).sort();
      for (const name of names.slice(0, -REJECTED_COUNT)) remove(`${dir}/${name}`);
    } catch {
      // It stays in the spool, and is refused again at the next drain.
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
 * An entry that was kept while the settings could not be used (a credentials file
 * that others can read) belongs to whom they name once they can: the defaults that
 * stood in would file it as another agent's, at a daemon that may not be there.
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
  const { id, kind, path, url, harness, agentId, runtimePath, sessionKey } = fields;
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
    runtimePath: runtimePath === "plugin" ? "plugin" : "legacy",
    sessionKey: typeof sessionKey === "string" ? sessionKey : undefined,
    body,
  };
}
