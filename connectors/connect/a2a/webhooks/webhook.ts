import type { DatabaseSync } from "node:sqlite";

export const WEBHOOK_EVENTS = [
  "task.completed",
  "task.failed",
  "task.canceled",
  "message.received",
  "lock.violated",
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** An address that the user of this machine wants to be notified at. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
}

/** The webhooks on disk. A secret is shown once, when the webhook is added. */
export class Webhooks {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add(url: string, events: readonly WebhookEvent[]): Webhook & { secret: string } {
    const id = crypto.getRandomValues(new Uint8Array(4)).toHex();
    const secret = `whsec_${crypto.getRandomValues(new Uint8Array(24)).toHex()}`;
    this.#database.prepare("insert into webhooks (id, url, events, secret) values (?, ?, ?, ?)")
      .run(id, url, events.join(" "), secret);
    return { id, url, events, secret };
  }

  remove(id: string): boolean {
    return this.#database.prepare("delete from webhooks where id = ?").run(id).changes !== 0;
  }

  list(): (Webhook & { secret: string })[] {
    const rows = this.#database.prepare("select * from webhooks order by id").all();
    return rows.map((row) => ({
      id: String(row.id),
      url: String(row.url),
      events: WEBHOOK_EVENTS.filter((event) => String(row.events).split(" ").includes(event)),
      secret: String(row.secret),
    }));
  }
}
