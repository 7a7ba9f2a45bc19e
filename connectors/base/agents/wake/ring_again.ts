import { Inbox } from "../../../../hooks/agents/messages/inbox.ts";
import { AgentSessions, type ListedSession } from "../../../../hooks/agents/sessions/session.ts";
import { ring } from "../../../../hooks/agents/wake/wake.ts";
import { silentSince } from "../../../../hooks/agents/wake/woken.ts";
import { exists } from "../../../../hooks/state/exists.ts";
import { ensureDir, remove } from "../../../../hooks/state/state_file.ts";

const RING_AGAIN_MS = 60_000;
const LOOK_MS = 5_000;
/**
 * A session that works and runs no hook for so long has probably stopped: its user interrupted it,
 * or the hook at the end of its turn was killed. A tool may take its time.
 */
const SILENT_MS = 2 * 60_000;
const SILENT_TOOL_MS = 15 * 60_000;
/** An urgent message has priority 4 or 5. */
const URGENT = /-[45]\.json$/;
/** These wake an idle session. */
const WAKES = /-[345]\.json$/;

export interface RingAgainOptions {
  readonly now?: () => number;
  readonly ring?: (session: ListedSession) => unknown;
}

/**
 * Rings once more for an urgent message that nobody has read after a minute: Codex
 * gets another doorbell, the user of another harness hears a bell. So it does for any
 * message that should have woken the session, if the hook that took it was killed, or
 * the hook that should have said that the session is idle. Plugins ring again
 * by themselves. Every MCP server of the machine looks; a file with the name of the
 * message, which only one of them can create, says who rings.
 */
export class RingAgain {
  readonly #dir: string;
  readonly #sessions: AgentSessions;
  readonly #inbox: Inbox;
  readonly #now: () => number;
  readonly #ring: (session: ListedSession) => unknown;

  /** `dir` is the directory of the mesh. */
  constructor(dir: string, options: RingAgainOptions = {}) {
    this.#dir = dir;
    this.#now = options.now ?? Date.now;
    this.#ring = options.ring ?? ring;
    this.#sessions = new AgentSessions(dir, this.#now);
    this.#inbox = new Inbox(dir, this.#now);
  }

  /** Looks now and then until `signal` is aborted. */
  start(signal: AbortSignal): void {
    const timer = setInterval(() => this.look(), LOOK_MS);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  look(): void {
    for (const session of this.#sessions.list()) {
      if (session.gone || session.wake === "plugin") continue;
      try {
        this.#inbox.requeueStale(session);
        if (this.#claims(session).length === 0) continue;
        this.#ring(this.#hasStopped(session) ? { ...session, status: "idle" } : session);
      } catch {
        // The disk is full, or the session's directory is gone.
      }
    }
  }

  /** What to ring for, and was not rung for by anybody. */
  #claims(session: ListedSession): string[] {
    const inbox = this.#inbox.dirOf(session);
    const rung = `${inbox}/rung`;
    const due = [...this.#unread(session, inbox), ...this.#silent(session)];
    for (const name of names(rung)) if (!due.includes(name)) remove(`${rung}/${name}`);
    if (due.length === 0) return [];
    ensureDir(rung);
    return due.filter((name) => create(`${rung}/${name}`));
  }

  /** The messages of a session that does nothing, and that it should know of. */
  #unread(session: ListedSession, inbox: string): string[] {
    const waiting = names(`${inbox}/new`).filter((name) => WAKES.test(name));
    // One for all: after a turn that its user interrupted, Codex keeps each until the user goes on.
    if (this.#hasStopped(session)) return waiting.length > 0 ? [`silent-${session.hookAt}`] : [];
    if (session.status !== "idle" && session.status !== "waiting") return [];
    // A waiter sees by itself what comes back.
    const wasTaken = (name: string) =>
      session.wake !== "hook" && exists(`${inbox}/again/${name.replace(/-\d\.json$/, "")}`);
    return waiting.filter((name) =>
      wasTaken(name) || (URGENT.test(name) && this.#isOld(`${inbox}/new/${name}`))
    );
  }

  /** Whether a session that can be woken has stopped without a word. */
  #hasStopped({ wake, status, tool, hookAt }: ListedSession): boolean {
    return wake === "queue" && status === "working" &&
      this.#now() - hookAt >= (tool === undefined ? SILENT_MS : SILENT_TOOL_MS);
  }

  /** A session that was woken by its waiter, and has not run a hook since. */
  #silent(session: ListedSession): string[] {
    const since = silentSince(this.#dir, session);
    return since !== undefined && this.#now() - since >= RING_AGAIN_MS ? [`woken-${since}`] : [];
  }

  #isOld(path: string): boolean {
    const written = Deno.lstatSync(path).mtime?.getTime();
    return written !== undefined && this.#now() - written >= RING_AGAIN_MS;
  }
}

function names(dir: string): string[] {
  try {
    return [...Deno.readDirSync(dir)].map(({ name }) => name);
  } catch {
    return [];
  }
}

function create(path: string): boolean {
  try {
    Deno.writeTextFileSync(path, "", { createNew: true, mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}
