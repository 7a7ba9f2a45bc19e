import { isObject } from "../../json.ts";
import type { Run } from "../../run.ts";

/** A session that has just begun is not interested in older messages. */
const MAX_AGE_MS = 3600 * 1000;
/** As many as the daemon shows at once to a new listener; an inbox gets the rest at the next prompt. */
const LIMIT = 100;
/** How much longer than its main request a hook waits for messages. */
const GRACE_MS = 20;

/** What the daemon lists, newest first, and how far its clock is ahead of this machine's. */
export interface Listed {
  readonly items: readonly unknown[];
  readonly offsetMs?: number;
}

export const NOTHING: Listed = { items: [] };

/**
 * Asks the daemon for messages while the hook makes its own request. The daemon keeps
 * no note of who has read what: the inbox does.
 */
export class MessageRequest {
  readonly #answer: Promise<Listed>;
  #listed: Promise<Listed> | undefined;

  constructor(run: Run) {
    this.#answer = ask(run);
  }

  /**
   * The messages as the daemon lists them; none if it does not answer in time. Call
   * this when the hook's own request is done. A late request is not cancelled: the hook
   * ends, and the connection with it.
   */
  listed(): Promise<Listed> {
    return this.#listed ??= this.#waitBriefly();
  }

  async #waitBriefly(): Promise<Listed> {
    let timer: number | undefined;
    const late = new Promise<Listed>((resolve) => {
      timer = setTimeout(() => resolve(NOTHING), GRACE_MS);
    });
    const listed = await Promise.race([this.#answer, late]);
    clearTimeout(timer);
    return listed;
  }
}

async function ask(run: Run): Promise<Listed> {
  const { settings, deadline, breaker } = run;
  if (settings.problem !== undefined || breaker.skip(deadline.left())) return NOTHING;
  const listed = await list(run, Date.now());
  const { offsetMs = 0 } = listed;
  // Where this machine's clock is ahead, new messages seemed to be too old.
  return offsetMs < 0 ? await list(run, Date.now() + offsetMs) : listed;
}

/** The messages of the last hour before `now`, which is the daemon's time. */
async function list({ client, deadline }: Run, now: number): Promise<Listed> {
  const since = encodeURIComponent(new Date(now - MAX_AGE_MS).toISOString());
  const query = `agent_id=${encodeURIComponent(client.agentId)}&since=${since}&limit=${LIMIT}`;
  const reply = await client.request("GET", `/api/cross-agent/messages?${query}`, undefined, {
    timeoutMs: deadline.left(),
  });
  return reply.kind === "ok" && isObject(reply.body) && Array.isArray(reply.body.items)
    ? { items: reply.body.items, offsetMs: reply.offsetMs }
    : NOTHING;
}
