/** A transcript that arrived, and what the daemon kept of it. */
export interface Delivery {
  readonly agentId: string;
  readonly sessionKey: string | undefined;
  readonly harness: string;
  readonly project: string | undefined;
  /** The hook that brought it, such as `session-end`. */
  readonly route: string;
  /** Where the daemon read it; `nothing` if it read none, though one may have been sent. */
  readonly from: "path" | "inline" | "nothing" | "prompt";
  /** How many characters were sent. */
  readonly sent: number;
  /** The text that was kept; empty if it was lost. */
  readonly kept: string;
}

/** Enough for any test; the oldest are dropped, so that memory use stays flat. */
const MAX_DELIVERIES = 1000;
const MAX_CHARS = 100_000;

/** What was kept of each session's transcript: "delivered" does not mean "kept". */
export class Kept {
  readonly #deliveries: Delivery[] = [];
  readonly #content = new Map<string, string>();

  /**
   * Records a delivery, and the whole text that is kept of the session with it. A
   * shorter text does not replace a longer one, as in the real daemon.
   */
  add(delivery: Delivery, content = delivery.kept): void {
    this.#deliveries.push(delivery);
    if (this.#deliveries.length > MAX_DELIVERIES) this.#deliveries.shift();
    const { agentId, sessionKey } = delivery;
    if (sessionKey === undefined) return;
    const id = JSON.stringify([agentId, sessionKey]);
    if (content.length <= (this.#content.get(id)?.length ?? 0)) return;
    this.#content.delete(id);
    this.#content.set(id, content.slice(-MAX_CHARS));
    const oldest = this.#content.size > MAX_DELIVERIES ? this.#content.keys().next().value : undefined;
    if (oldest !== undefined) this.#content.delete(oldest);
  }

  content(agentId: string, sessionKey: string): string | undefined {
    return this.#content.get(JSON.stringify([agentId, sessionKey]));
  }

  drop(agentId: string, sessionKey: string): void {
    this.#content.delete(JSON.stringify([agentId, sessionKey]));
  }

  /** The deliveries of a session, and the longest text that is kept of it under any agent. */
  session(sessionKey: string): { content: string; deliveries: Delivery[] } {
    const deliveries = this.#deliveries.filter((delivery) => delivery.sessionKey === sessionKey);
    const contents = [...new Set(deliveries.map(({ agentId }) => agentId))]
      .map((agentId) => this.content(agentId, sessionKey) ?? "");
    return { content: contents.sort((a, b) => b.length - a.length)[0] ?? "", deliveries };
  }
}
