import { readStateObject, remove, writeNote } from "./state_file.ts";

/** What a live session was told. May be lost at any time: then a session is told again. */
export interface SessionNote {
  /** What the session's context began with: the daemon's text, or this machine's identity files. */
  given?: "daemon" | "local";
  /** The session's first text from the daemon, given again when a compaction has removed it. */
  inject?: string;
  /** A first text that waits for the first prompt. */
  pending?: string;
  /** When the session was last claimed again, in ms. */
  claimedAt?: number;
  /** Its end is spooled; a second end without a prompt in between is the same end. */
  ended?: boolean;
}

/** As long as the daemon (B) itself remembers that a session had its first text. */
const KEEP_MS = 7 * 24 * 3600 * 1000;
const KEEP_COUNT = 200;

export class SessionNotes {
  readonly #dir: string | undefined;
  readonly #scope: string;
  readonly #now: () => number;
  /** Whether notes can be kept here; where they cannot, a text must not be given on the strength of a missing one. */
  works: boolean;

  /** A note belongs to one agent at one daemon: another one has told the session nothing yet. */
  constructor(dir: string | undefined, url: string, agentId: string, now: () => number = Date.now) {
    this.#dir = dir === undefined ? undefined : `${dir}/sessions`;
    this.#scope = `${url} ${agentId}`;
    this.#now = now;
    this.works = dir !== undefined;
  }

  read(key: string | undefined): SessionNote {
    const path = this.#path(key);
    if (path === undefined) return {};
    const note = readStateObject(path);
    if (note === undefined || note.key !== key || note.scope !== this.#scope) return {};
    const age = this.#now() - number(note.at, 0);
    if (age > KEEP_MS) return {};
    return {
      given: note.given === "daemon" || note.given === "local" ? note.given : undefined,
      inject: text(note.inject),
      pending: text(note.pending),
      claimedAt: typeof note.claimedAt === "number" ? note.claimedAt : undefined,
      ended: note.ended === true,
    };
  }

  write(key: string | undefined, note: SessionNote): void {
    const path = this.#path(key);
    if (path === undefined) return;
    try {
      writeNote(path, JSON.stringify({ key, scope: this.#scope, at: this.#now(), ...note }));
    } catch {
      this.works = false;
    }
  }

  /** Removes what is too old or too much; for the drain, which nobody waits for. */
  prune(): void {
    if (this.#dir === undefined) return;
    const found: { path: string; at: number }[] = [];
    try {
      for (const item of Deno.readDirSync(this.#dir)) {
        const path = `${this.#dir}/${item.name}`;
        found.push({ path, at: Deno.statSync(path).mtime?.getTime() ?? 0 });
      }
    } catch {
      return;
    }
    found.sort((a, b) => b.at - a.at);
    for (const [i, { path, at }] of found.entries()) {
      if (i >= KEEP_COUNT || this.#now() - at > KEEP_MS) remove(path);
    }
  }

  #path(key: string | undefined): string | undefined {
    if (this.#dir === undefined || key === undefined) return undefined;
    const readable = key.replace(/[^A-Za-z0-9_-]/g, "").slice(0, 40);
    return `${this.#dir}/${readable}-${hash(`${this.#scope} ${key}`)}.json`;
  }
}

/** FNV-1a. Only a file name: the note itself says whose it is, so a collision forgets and never mixes up. */
function hash(text: string): string {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return (h >>> 0).toString(16).padStart(8, "0");
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function number(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}
