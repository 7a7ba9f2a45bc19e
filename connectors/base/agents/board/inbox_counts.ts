import type { Inbox } from "../../../../hooks/agents/messages/inbox.ts";
import type { SessionId } from "../../../../hooks/agents/sessions/session.ts";

type Counts = ReturnType<Inbox["count"]>;

interface Counted {
  readonly counts: Counts;
  /** The dates of the directories. */
  readonly dates: readonly number[];
}

/** A directory that changed this long ago has a date that another change would move. */
const SETTLED_MS = 2_000;

/** The messages that wait for sessions. Counts an inbox again only if one of its directories has changed. */
export class InboxCounts {
  readonly #inbox: Inbox;
  readonly #known = new Map<string, Counted>();

  constructor(inbox: Inbox) {
    this.#inbox = inbox;
  }

  count(session: SessionId): Counts {
    const dir = this.#inbox.dirOf(session);
    // Before they are counted: what comes meanwhile moves them.
    const dates = ["new", "taken", "held"].map((folder) => changedAt(`${dir}/${folder}`));
    const known = this.#known.get(dir);
    if (known?.dates.every((date, i) => date === dates[i])) return known.counts;
    const counts = this.#inbox.count(session);
    if (Math.max(...dates) < Date.now() - SETTLED_MS) this.#known.set(dir, { counts, dates });
    else this.#known.delete(dir);
    return counts;
  }
}

/** 0 without a directory. */
function changedAt(dir: string): number {
  try {
    return Deno.lstatSync(dir).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}
