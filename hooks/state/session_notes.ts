import { sessionFile } from "./session_file.ts";
import { readStateObject, remove, writeNote } from "./state_file.ts";

/** What a session has received. If a note is lost, the session gets its text again. */
export interface SessionNote {
  /** Where the session's start text came from: the daemon, or this machine's identity files. */
  given?: "daemon" | "local";
  /** The start text from the daemon, printed again after a compaction. */
  inject?: string;
  /** A start text that waits for the first prompt. */
  pending?: string;
  /** When the session was last claimed again, in ms since 1970. */
  claimedAt?: number;
  /** The session's end is spooled; another end without a prompt in between is a duplicate. */
  ended?: boolean;
  /** The name of that end in the spool: a session that goes on takes it back if it is still there. */
  endFile?: string;
}

/** As long as the daemon (B) remembers that a session has its start text. */
const KEEP_MS = 7 * 24 * 3600 * 1000;
const KEEP_COUNT = 200;

export class SessionNotes {
  readonly #dir: string | undefined;
  readonly #url: string;
  readonly #agentId: string;
  readonly #now: () => number;
  /** Whether notes can be written. If not, a missing note does not mean that the session has no text. */
  works: boolean;

  /** A note belongs to one agent at one daemon. */
  constructor(dir: string | undefined, url: string, agentId: string, now: () => number = Date.now) {
    this.#dir = dir === undefined ? undefined : `${dir}/sessions`;
    this.#url = url;
    this.#agentId = agentId;
    this.#now = now;
    this.works = dir !== undefined;
  }

  get #scope(): string {
    return `${this.#url} ${this.#agentId}`;
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
      endFile: text(note.endFile),
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

  /**
   * Keeps the newest two hundred notes. By number and not by age: with a clock that
   * is wrong once, every note would be too old. Below that number it costs one directory listing.
   */
  prune(): void {
    if (this.#dir === undefined) return;
    try {
      const names = [...Deno.readDirSync(this.#dir)].map(({ name }) => name);
      if (names.length <= KEEP_COUNT) return;
      const files = names.map((name) => {
        const path = `${this.#dir}/${name}`;
        return { path, at: Deno.lstatSync(path).mtime?.getTime() ?? 0 };
      });
      for (const { path } of files.sort((a, b) => b.at - a.at).slice(KEEP_COUNT)) remove(path);
    } catch {
      // No directory, no notes; or another process removes them now.
    }
  }

  #path(key: string | undefined): string | undefined {
    if (this.#dir === undefined || key === undefined) return undefined;
    return `${this.#dir}/${sessionFile(this.#url, this.#agentId, key)}`;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function number(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}
