import { AgentSessions, type ListedSession } from "../../../../hooks/agents/sessions/session.ts";
import { sessionName } from "../../../../hooks/agents/dir.ts";
import { ring } from "../../../../hooks/agents/wake/wake.ts";
import { silentSince } from "../../../../hooks/agents/wake/woken.ts";
import { ensureDir, remove } from "../../../../hooks/state/state_file.ts";

const RING_AGAIN_MS = 60_000;
const LOOK_MS = 5_000;
/** An urgent message has priority 4 or 5. */
const URGENT = /-[45]\.json$/;

export interface RingAgainOptions {
  readonly now?: () => number;
  readonly ring?: (session: ListedSession) => unknown;
}

/**
 * Rings once more for an urgent message that nobody has read after a minute: Codex
 * gets another doorbell, the user of another harness hears a bell. Plugins ring again
 * by themselves. Every MCP server of the machine looks; a file with the name of the
 * message, which only one of them can create, says who rings.
 */
export class RingAgain {
  readonly #dir: string;
  readonly #sessions: AgentSessions;
  readonly #now: () => number;
  readonly #ring: (session: ListedSession) => unknown;

  /** `dir` is the directory of the mesh. */
  constructor(dir: string, options: RingAgainOptions = {}) {
    this.#dir = dir;
    this.#now = options.now ?? Date.now;
    this.#ring = options.ring ?? ring;
    this.#sessions = new AgentSessions(dir, this.#now);
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
        if (this.#claims(session).length > 0) this.#ring(session);
      } catch {
        // The disk is full, or the session's directory is gone.
      }
    }
  }

  /** What to ring for, and was not rung for by anybody. */
  #claims(session: ListedSession): string[] {
    const inbox = `${this.#dir}/inbox/${sessionName(session.harness, session.key)}`;
    const rung = `${inbox}/rung`;
    const due = [...this.#unread(session, inbox), ...this.#silent(session)];
    for (const name of names(rung)) if (!due.includes(name)) remove(`${rung}/${name}`);
    if (due.length === 0) return [];
    ensureDir(rung);
    return due.filter((name) => create(`${rung}/${name}`));
  }

  /** The urgent messages of a session that does nothing. */
  #unread({ status }: ListedSession, inbox: string): string[] {
    if (status !== "idle" && status !== "waiting") return [];
    return names(`${inbox}/new`).filter((name) => URGENT.test(name) && this.#isOld(`${inbox}/new/${name}`));
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
