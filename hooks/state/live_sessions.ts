import { type Caller, isGone, parseCaller } from "./caller.ts";
import { isKeyOrigin, type KeyOrigin } from "../daemon/agent_keys.ts";
import { exists } from "./exists.ts";
import { sessionFile } from "./session_file.ts";
import { readStateObject, remove, writeNote } from "./state_file.ts";

/** A session that has started and not ended: enough to end it if the harness never does. */
export interface LiveSession {
  readonly key: string;
  readonly url: string;
  readonly agentId: string;
  /** Whose key the session used. */
  readonly keyFrom?: KeyOrigin;
  readonly cwd: string;
  readonly transcriptPath?: string;
  /** The harness's process, if it is known. */
  readonly caller?: Caller;
}

/** A live session as its file shows it. */
export interface SeenSession extends LiveSession {
  readonly file: string;
  /** When its last hook ran, in ms since 1970. */
  readonly hookAt: number;
}

const LEFTOVER_MS = 3600 * 1000;

/** One small file per live session; the time of its last hook is the file's date. */
export class LiveSessions {
  readonly #dir: string;
  readonly #now: () => number;

  constructor(stateDir: string, now: () => number = Date.now) {
    this.#dir = `${stateDir}/live`;
    this.#now = now;
  }

  /** Writes the session down: it starts, perhaps again in another process. Never throws. */
  begin(session: LiveSession): void {
    try {
      const path = this.#path(session);
      writeNote(path, JSON.stringify(session));
      // The clock of the file system may be another one.
      this.#stamp(path);
    } catch {
      // On a full disk this session's end depends on the harness alone.
    }
  }

  /** Dates the session's file; this is all that a prompt costs. False if there is no such session. */
  touch(session: Pick<LiveSession, "url" | "agentId" | "key">): boolean {
    try {
      this.#stamp(this.#path(session));
      return true;
    } catch {
      return false;
    }
  }

  /** Forgets a session, unless a hook has run since `before`. */
  end(session: Pick<LiveSession, "url" | "agentId" | "key">, before = Infinity): void {
    const path = this.#path(session);
    const at = fileTime(path);
    if (at !== undefined && at <= before) remove(path);
  }

  /** Whether a session other than this one is live; reads no file. */
  hasOthers(session: Pick<LiveSession, "url" | "agentId" | "key">): boolean {
    const own = sessionFile(session.url, session.agentId, session.key);
    try {
      for (const { name } of Deno.readDirSync(this.#dir)) if (name !== own && isSession(name)) return true;
    } catch {
      // No directory, no sessions.
    }
    return false;
  }

  /** The sessions, longest silent first. A file that is malformed is removed. */
  list(): SeenSession[] {
    const sessions: SeenSession[] = [];
    try {
      for (const { name } of Deno.readDirSync(this.#dir)) {
        const path = `${this.#dir}/${name}`;
        const session = isSession(name) ? this.#read(name) : undefined;
        if (session !== undefined) sessions.push(session);
        // A hook that was killed leaves its temporary file behind; a new one is being written.
        else if (isSession(name) || this.#now() - (fileTime(path) ?? Infinity) > LEFTOVER_MS) remove(path);
      }
    } catch {
      // No directory, no sessions.
    }
    return sessions.sort((a, b) => a.hookAt - b.hookAt);
  }

  /** Whether no hook of the session has run, and nobody has ended it, since it was listed. */
  isUnchanged({ file, hookAt }: SeenSession): boolean {
    return fileTime(`${this.#dir}/${file}`) === hookAt;
  }

  #read(file: string): SeenSession | undefined {
    const path = `${this.#dir}/${file}`;
    const hookAt = fileTime(path);
    const { key, url, agentId, keyFrom, cwd, transcriptPath, caller } = readStateObject(path) ?? {};
    if (hookAt === undefined || typeof key !== "string" || typeof url !== "string") return undefined;
    if (typeof agentId !== "string" || typeof cwd !== "string") return undefined;
    return {
      file,
      hookAt,
      key,
      url,
      agentId,
      keyFrom: isKeyOrigin(keyFrom) ? keyFrom : undefined,
      cwd,
      transcriptPath: typeof transcriptPath === "string" ? transcriptPath : undefined,
      caller: parseCaller(caller),
    };
  }

  #stamp(path: string): void {
    const seconds = this.#now() / 1000;
    Deno.utimeSync(path, seconds, seconds);
  }

  #path({ url, agentId, key }: Pick<LiveSession, "url" | "agentId" | "key">): string {
    return `${this.#dir}/${sessionFile(url, agentId, key)}`;
  }
}

/** Not a temporary file. */
function isSession(name: string): boolean {
  return name.endsWith(".json");
}

/** Whether the harness's process is certainly gone, so that no hook will end this session. */
export function hasLostProgram({ caller }: Pick<LiveSession, "caller">): boolean {
  return caller !== undefined && isGone(caller);
}

/** When a file was last changed, in ms; undefined if there is none. */
export function fileTime(path: string): number | undefined {
  if (!exists(path)) return undefined;
  try {
    return Deno.statSync(path).mtime?.getTime();
  } catch {
    return undefined;
  }
}
