import type { DatabaseSync } from "node:sqlite";
import { post } from "./post.ts";
import { sign, SIGNATURE_HEADER } from "./signature.ts";
import { checkTarget, type TargetRules } from "./target.ts";

/** A notification to send to a URL. */
export interface Delivery {
  /** What belongs together: of one config, the next one is sent when the one before is done. */
  readonly config: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The key of the signature; "" for none. */
  readonly secret: string;
  /** Whether the address must be public: a client gave it, and not the user of this machine. */
  readonly checked: boolean;
  readonly body: string;
}

export interface DeliveryOptions {
  readonly rules: TargetRules;
  readonly timeoutMs?: number;
  /** How long to wait before the second and the third try. */
  readonly pausesMs?: readonly number[];
  readonly caCerts?: string[];
  /** A sentence about a notification that nobody took. */
  log?(line: string): void;
}

interface Queued extends Delivery {
  readonly n: number;
  readonly tries: number;
  /** When it is sent or tried again, in ms since 1970. */
  readonly due: number;
}

const TIMEOUT_MS = 10_000;
const PAUSES_MS = [1_000, 10_000];
/** How many configs are served at once. */
const AT_ONCE = 8;

/** Sends notifications, three tries each. They wait on disk, so a restart loses none. */
export class Deliveries {
  readonly #database: DatabaseSync;
  readonly #options: DeliveryOptions;
  readonly #running = new Map<string, Promise<void>>();
  #timer = 0;
  #stopped = false;

  constructor(database: DatabaseSync, options: DeliveryOptions) {
    this.#database = database;
    this.#options = options;
  }

  add({ config, url, headers, secret, checked, body }: Delivery): void {
    this.#database.prepare(`
      insert into deliveries (config, url, headers, secret, checked, body, tries, due)
      values (?, ?, ?, ?, ?, ?, 0, ?)
    `).run(config, url, JSON.stringify(headers), secret, checked ? 1 : 0, body, Date.now());
    this.pump();
  }

  /** Forgets what a config has not been sent yet. */
  drop(config: string): void {
    this.#database.prepare("delete from deliveries where config = ?").run(config);
  }

  /** Starts to send what is due. */
  pump(): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    // One time for both questions: what falls due between them would wait for ever.
    const now = Date.now();
    const heads = this.#heads();
    for (const next of heads.filter(({ due }) => due <= now)) {
      // Whatever is under way calls again when it is done.
      if (this.#running.size >= AT_ONCE) break;
      const running = this.#send(next).finally(() => {
        this.#running.delete(next.config);
        this.pump();
      });
      this.#running.set(next.config, running);
    }
    const later = heads.filter(({ due }) => due > now).map(({ due }) => due);
    if (later.length > 0) this.#timer = setTimeout(() => this.pump(), Math.min(...later) - now);
  }

  /** Stops; what was not sent is sent after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#running.values());
  }

  /** The oldest of each config that is not under way, those that wait longest first. */
  #heads(): Queued[] {
    const rows = this.#database.prepare(`
      select * from deliveries where n in (select min(n) from deliveries group by config) order by due, n limit 1000
    `).all();
    return rows.map(queued).filter(({ config }) => !this.#running.has(config));
  }

  async #send(delivery: Queued): Promise<void> {
    const why = await this.#try(delivery);
    const { n, tries, url } = delivery;
    const { pausesMs = PAUSES_MS, log } = this.#options;
    const pause = pausesMs[tries];
    if (why === undefined || why.final || pause === undefined) {
      this.#database.prepare("delete from deliveries where n = ?").run(n);
      if (why !== undefined) log?.(`No notification to ${originOf(url)}: ${why.text}.`);
    } else {
      this.#database.prepare("update deliveries set tries = tries + 1, due = ? where n = ?")
        .run(Date.now() + pause, n);
    }
  }

  /** Why it was not taken. */
  async #try(delivery: Queued): Promise<{ text: string; final: boolean } | undefined> {
    const { url, checked, body, headers, secret } = delivery;
    const { rules, timeoutMs = TIMEOUT_MS, caCerts } = this.#options;
    // The address is looked up for each try: the name may point elsewhere by now.
    const target = await checkTarget(url, checked ? rules : { ...rules, allow: [new URL(url).host] });
    if (target.kind !== "ok") return { text: target.why, final: target.kind === "refused" };
    const posted = await post({
      url: target.url,
      address: target.address,
      headers: { ...headers, ...(secret === "" ? {} : { [SIGNATURE_HEADER]: await sign(secret, body) }) },
      body,
      timeoutMs,
      caCerts,
    });
    if (posted.kind === "failed") return { text: posted.why, final: false };
    const { status } = posted;
    if (status >= 200 && status < 300) return undefined;
    // A redirect could lead to a private address.
    if (status >= 300 && status < 400) return { text: "it redirects, which is not followed", final: true };
    return { text: `it answered ${status}`, final: false };
  }
}

function queued(row: Record<string, unknown>): Queued {
  return {
    n: Number(row.n),
    config: String(row.config),
    url: String(row.url),
    headers: JSON.parse(String(row.headers)),
    secret: String(row.secret),
    checked: row.checked === 1,
    body: String(row.body),
    tries: Number(row.tries),
    due: Number(row.due),
  };
}

/** A path or query may hold a secret of the receiver. */
function originOf(url: string): string {
  return URL.parse(url)?.origin ?? "an invalid URL";
}
