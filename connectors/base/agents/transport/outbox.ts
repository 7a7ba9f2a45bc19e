import { isExpired, type Message, parseMessage } from "../../../../hooks/agents/messages/message.ts";
import { isMessageId } from "../../../../hooks/agents/messages/message_id.ts";
import { isObject } from "../../../../hooks/json.ts";
import { readStateObject, remove, writeNote } from "../../../../hooks/state/state_file.ts";

/** A message that went to the daemon and was not acknowledged yet. */
export interface Unconfirmed {
  readonly message: Message;
  /** The daemon that it is for; undefined for the one of its agent. */
  readonly url?: string;
  /** The agent whose key sends it. */
  readonly agentId: string;
  /** When the daemon accepted it, in ms since 1970; undefined if it has not. */
  readonly acceptedAt?: number;
}

const MAX_FILE = 512 * 1024;

/**
 * Messages for other machines, on disk until their receiver has them: the daemon
 * keeps messages in memory only, and may be down.
 */
export class Outbox {
  readonly #dir: string;

  /** `root` is the directory of the mesh. */
  constructor(root: string) {
    this.#dir = `${root}/outbox`;
  }

  /** Throws if it cannot be written. */
  keep(entry: Unconfirmed): void {
    writeNote(this.#path(entry.message.id), JSON.stringify({ v: 1, ...entry }));
  }

  drop(id: string | undefined): void {
    if (isMessageId(id)) remove(this.#path(id));
  }

  /** What one agent has sent to one daemon, oldest first. Forgets what nobody should see any more. */
  list({ url, agentId }: { url: string; agentId: string }, now: number = Date.now()): Unconfirmed[] {
    const entries: Unconfirmed[] = [];
    for (const name of this.#names()) {
      const entry = parse(readStateObject(`${this.#dir}/${name}`, MAX_FILE));
      if (entry === undefined || isExpired(entry.message, now)) remove(`${this.#dir}/${name}`);
      else if ((entry.url ?? url) === url && entry.agentId === agentId) entries.push(entry);
    }
    return entries;
  }

  #names(): string[] {
    try {
      return [...Deno.readDirSync(this.#dir)].map(({ name }) => name)
        .filter((name) => name.endsWith(".json")).sort();
    } catch {
      return [];
    }
  }

  #path(id: string): string {
    return `${this.#dir}/${id}.json`;
  }
}

function parse(fields: Record<string, unknown> | undefined): Unconfirmed | undefined {
  if (fields === undefined) return undefined;
  // A hook leaves the receipts that it cannot send: a message, and nothing about the daemon.
  const isWrapped = isObject(fields.message);
  const message = parseMessage(JSON.stringify(isWrapped ? fields.message : fields));
  if (message === undefined || !isWrapped) return message && { message, agentId: message.from.agentId };
  const { url, agentId, acceptedAt } = fields;
  if (typeof url !== "string" || typeof agentId !== "string") return undefined;
  return { message, url, agentId, acceptedAt: typeof acceptedAt === "number" ? acceptedAt : undefined };
}
