import { type Caller, isGone, parseCaller } from "../../state/caller.ts";
import { exists } from "../../state/exists.ts";
import { isObject } from "../../json.ts";
import { readStateFile, remove, writeNote } from "../../state/state_file.ts";
import { parseLimits, type RepositoryLimits } from "../config/repository_limits.ts";
import { sessionName } from "../dir.ts";
import { isTime } from "../is_time.ts";
import { appendAgentLog } from "../log_line.ts";
import { appendChange, parseRecord } from "./session_record.ts";
import { TTY } from "./terminal.ts";

export type AgentStatus = "starting" | "working" | "idle" | "waiting";

/** How an idle session can be woken: by a hook that waits, a plugin, the harness's queue, or not at all. */
export type Wake = "hook" | "plugin" | "queue" | "none";

/** The terminal that a session runs in, from the environment at its start. */
export interface Terminal {
  readonly program: "tmux" | "zellij" | "wezterm" | "kitty" | "iterm" | "apple" | "ghostty" | "vscode";
  /** What the program needs to find it: a pane, a window. */
  readonly target?: string;
  /** The socket or session of the program that has it: several may run. */
  readonly server?: string;
}

/** One run of one harness that takes part in the mesh. */
export interface AgentSession {
  readonly v: 1;
  /** The harness's session id. */
  readonly key: string;
  readonly harness: string;
  readonly agentId: string;
  /** The daemon. */
  readonly url: string;
  /** The directory that it works in. */
  readonly project: string;
  /** The repository that this directory is in, or the directory itself. */
  readonly root?: string;
  /** How the repository's `agents.yaml` narrows what the user allows. */
  readonly repository?: RepositoryLimits;
  readonly machine: string;
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly status: AgentStatus;
  /** Since when it has this status. */
  readonly since: number;
  /** What it works with right now. */
  readonly tool?: string;
  readonly file?: string;
  readonly terminal?: Terminal;
  /** The terminal device, where a bell can be rung. */
  readonly tty?: string;
  /** The harness's process; unknown for Codex, whose server runs the hooks of every window. */
  readonly caller?: Caller;
  readonly wake: Wake;
}

/** A session as its file shows it. */
export interface ListedSession extends AgentSession {
  /** When its last hook ran, in ms since 1970. */
  readonly hookAt: number;
  /** Its process is gone, or it was silent for too long. */
  readonly gone: boolean;
}

/** Enough to name a session. */
export type SessionId = Pick<AgentSession, "harness" | "key">;

/** The daemon forgets a session after as much silence; a Codex session may never tell its end. */
const SILENT_MS = 24 * 3600 * 1000;
/** As long as the longest message waits. */
const FORGOTTEN_MS = 7 * 24 * 3600 * 1000;
/** What the inbox of a session that is over keeps of it. */
const ENDED = "session.json";
const STATUSES: readonly AgentStatus[] = ["starting", "working", "idle", "waiting"];
const WAKES: readonly Wake[] = ["hook", "plugin", "queue", "none"];

/** One small file per session, see session_record.ts; its date is the time of the session's last hook. */
export class AgentSessions {
  readonly #root: string;
  readonly #dir: string;
  readonly #now: () => number;

  /** `dir` is the directory of the mesh. */
  constructor(dir: string, now: () => number = Date.now) {
    this.#root = dir;
    this.#dir = `${dir}/sessions`;
    this.#now = now;
  }

  /** Writes the session down: it starts, or its first hook since `--agents` was installed runs. */
  begin(session: Omit<AgentSession, "v" | "startedAt" | "since" | "status">): AgentSession {
    const now = this.#now();
    const before = this.get(session);
    const begun: AgentSession = {
      ...session,
      v: 1,
      startedAt: before?.startedAt ?? now,
      status: "starting",
      since: now,
    };
    this.#write(begun);
    this.#log(begun);
    return begun;
  }

  /** Notes the limits of the repository of a session that was just read or begun, if they have changed. */
  limit(session: AgentSession, repository: RepositoryLimits | undefined): AgentSession {
    if (repository === undefined && session.repository === undefined) return session;
    const limited: AgentSession = { ...fieldsOf(session), repository: parseLimits(repository) };
    // Through JSON, which drops what is undefined.
    if (JSON.stringify(limited.repository) === JSON.stringify(session.repository)) return session;
    this.#write(limited);
    return limited;
  }

  /** Notes what a session does now; `session` saves the reading where it was just read. Undefined if there is no such session. */
  update(
    id: SessionId,
    change: { status: AgentStatus; tool?: string; file?: string },
    session: AgentSession | undefined = this.get(id),
  ): AgentSession | undefined {
    if (session === undefined) return undefined;
    const { status, tool, file } = change;
    if (session.status === status && session.tool === tool && session.file === file) {
      this.touch(id);
      return session;
    }
    const since = session.status === status ? session.since : this.#now();
    const updated: AgentSession = { ...fieldsOf(session), status, since, tool, file };
    try {
      if (appendChange(this.#path(id), { status, since, tool, file })) this.touch(id);
      else this.#write(updated);
    } catch (error) {
      // It has ended meanwhile.
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
    if (session.status !== status) this.#log(updated);
    return updated;
  }

  /** Dates the session's file. False if there is no such session. */
  touch(id: SessionId): boolean {
    try {
      Deno.utimeSync(this.#path(id), this.#now() / 1000, this.#now() / 1000);
      return true;
    } catch {
      return false;
    }
  }

  /** Removes sessions that were silent for a week: nobody will write to them, and none will go on. */
  prune(): void {
    for (const session of this.list()) {
      if (this.#now() - session.hookAt > FORGOTTEN_MS) this.end(session);
    }
  }

  /** Forgets a session. If it has an inbox, what is known about it moves there, see `ended`. */
  end(id: SessionId): void {
    try {
      Deno.renameSync(this.#path(id), `${this.#root}/inbox/${sessionName(id.harness, id.key)}/${ENDED}`);
    } catch {
      remove(this.#path(id));
    }
  }

  /** The sessions that are over and left an inbox. */
  ended(): ListedSession[] {
    const inboxes = `${this.#root}/inbox`;
    const ended: ListedSession[] = [];
    for (const { name } of exists(inboxes) ? Deno.readDirSync(inboxes) : []) {
      const session = this.#read(`${inboxes}/${name}/${ENDED}`);
      // It may have gone on.
      if (session !== undefined && !exists(this.#path(session))) ended.push(session);
    }
    return ended;
  }

  get(id: SessionId): ListedSession | undefined {
    const session = this.#read(this.#path(id));
    return session?.key === id.key && session.harness === id.harness ? session : undefined;
  }

  /** The sessions, the one with the newest hook first. */
  list(): ListedSession[] {
    const sessions: ListedSession[] = [];
    try {
      for (const { name } of Deno.readDirSync(this.#dir)) {
        const session = name.endsWith(".json") ? this.#read(`${this.#dir}/${name}`) : undefined;
        if (session !== undefined) sessions.push(session);
      }
    } catch {
      // No directory, no sessions.
    }
    return sessions.sort((a, b) => b.hookAt - a.hookAt);
  }

  #write(session: AgentSession): void {
    const path = this.#path(session);
    writeNote(path, JSON.stringify(session));
    const now = this.#now() / 1000;
    Deno.utimeSync(path, now, now);
  }

  /** What the history and the monitor know about a session over time. */
  #log({ status, since, key, harness }: AgentSession): void {
    appendAgentLog(this.#root, { event: status, at: since, session: key, harness });
  }

  #read(path: string): ListedSession | undefined {
    if (!exists(path)) return undefined;
    const file = readStateFile(path, 65_536);
    const fields = file.kind === "text" ? parseRecord(file.text) : undefined;
    const session = fields === undefined ? undefined : parseSession(fields);
    if (session === undefined || file.kind !== "text") return undefined;
    const hookAt = file.modified;
    const silent = this.#now() - hookAt > SILENT_MS;
    return { ...session, hookAt, gone: silent || (session.caller !== undefined && isGone(session.caller)) };
  }

  #path({ harness, key }: SessionId): string {
    return `${this.#dir}/${sessionName(harness, key)}.json`;
  }
}

/** What a session's file has: the rest of what was read depends on the moment. */
function fieldsOf(session: AgentSession & Partial<ListedSession>): AgentSession {
  const { hookAt: _hookAt, gone: _gone, ...fields } = session;
  return fields;
}

function parseSession(fields: Record<string, unknown>): AgentSession | undefined {
  const { key, harness, agentId, url, project, machine, startedAt, since } = fields;
  if (typeof key !== "string" || typeof harness !== "string" || typeof agentId !== "string") return undefined;
  if (typeof url !== "string" || typeof project !== "string" || typeof machine !== "string") return undefined;
  return {
    v: 1,
    key,
    harness,
    agentId,
    url,
    project,
    root: typeof fields.root === "string" ? fields.root : undefined,
    repository: parseLimits(fields.repository),
    machine,
    startedAt: isTime(startedAt) ? startedAt : 0,
    status: STATUSES.find((status) => status === fields.status) ?? "working",
    since: isTime(since) ? since : 0,
    tool: typeof fields.tool === "string" ? fields.tool : undefined,
    file: typeof fields.file === "string" ? fields.file : undefined,
    terminal: parseTerminal(fields.terminal),
    tty: typeof fields.tty === "string" && TTY.test(fields.tty) ? fields.tty : undefined,
    caller: parseCaller(fields.caller),
    wake: WAKES.find((wake) => wake === fields.wake) ?? "none",
  };
}

const TERMINALS: readonly Terminal["program"][] = [
  "tmux",
  "zellij",
  "wezterm",
  "kitty",
  "iterm",
  "apple",
  "ghostty",
  "vscode",
];

function parseTerminal(value: unknown): Terminal | undefined {
  if (!isObject(value)) return undefined;
  const program = TERMINALS.find((known) => known === value.program);
  if (program === undefined) return undefined;
  const { target, server } = value;
  return {
    program,
    target: typeof target === "string" ? target : undefined,
    server: typeof server === "string" ? server : undefined,
  };
}
