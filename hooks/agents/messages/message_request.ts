import { isObject } from "../../json.ts";
import type { Run } from "../../run.ts";

/** A session that has just begun is not interested in older messages. */
const MAX_AGE_MS = 3600 * 1000;
/** As many as the daemon shows at once to a new listener; an inbox gets the rest at the next prompt. */
const LIMIT = 100;
/** How much longer than its main request a hook waits for messages. */
const GRACE_MS = 20;

/**
 * Asks the daemon for messages while the hook makes its own request. The daemon keeps
 * no note of who has read what: the inbox does.
 */
export class MessageRequest {
  readonly #answer: Promise<readonly unknown[]>;
  #items: Promise<readonly unknown[]> | undefined;

  constructor(run: Run) {
    this.#answer = ask(run);
  }

  /**
   * The messages as the daemon lists them; none if it does not answer in time. Call
   * this when the hook's own request is done. A late request is not cancelled: the hook
   * ends, and the connection with it.
   */
  items(): Promise<readonly unknown[]> {
    return this.#items ??= this.#waitBriefly();
  }

  async #waitBriefly(): Promise<readonly unknown[]> {
    let timer: number | undefined;
    const late = new Promise<readonly unknown[]>((resolve) => {
      timer = setTimeout(() => resolve([]), GRACE_MS);
    });
    const items = await Promise.race([this.#answer, late]);
    clearTimeout(timer);
    return items;
  }
}

async function ask({ settings, client, deadline, breaker }: Run): Promise<readonly unknown[]> {
  const timeoutMs = deadline.left();
  if (settings.problem !== undefined || breaker.skip(timeoutMs)) return [];
  const since = encodeURIComponent(new Date(Date.now() - MAX_AGE_MS).toISOString());
  const query = `agent_id=${encodeURIComponent(client.agentId)}&since=${since}&limit=${LIMIT}`;
  const reply = await client.request("GET", `/api/cross-agent/messages?${query}`, undefined, { timeoutMs });
  return reply.kind === "ok" && isObject(reply.body) && Array.isArray(reply.body.items)
    ? reply.body.items
    : [];
}
