import type { DatabaseSync } from "node:sqlite";

export interface Client {
  readonly name: string;
  /** In ms since 1970. */
  readonly created: number;
}

const PREFIX = "sa2a_";
const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/** The programs that may use the gateway. A token is shown once; only its hash is stored. */
export class Clients {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  static isName(name: string): boolean {
    return NAME.test(name);
  }

  /** A new token; undefined if there is a client of this name. */
  async create(name: string): Promise<string | undefined> {
    const token = PREFIX +
      crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });
    const { changes } = this.#database.prepare(
      "insert or ignore into clients (name, hash, created) values (?, ?, ?)",
    ).run(name, await hash(token), Date.now());
    return changes === 0 ? undefined : token;
  }

  list(): Client[] {
    const rows = this.#database.prepare("select name, created from clients order by name").all();
    return rows.map(({ name, created }) => ({ name: String(name), created: Number(created) }));
  }

  revoke(name: string): boolean {
    return this.#database.prepare("delete from clients where name = ?").run(name).changes !== 0;
  }

  /** Whose token this is. Looked up each time, so that a revoked token stops working at once. */
  async clientOf(token: string): Promise<string | undefined> {
    if (!token.startsWith(PREFIX) || token.length > 200) return undefined;
    // The lookup is by hash, so its time says nothing about the token.
    const row = this.#database.prepare("select name from clients where hash = ?").get(await hash(token));
    return typeof row?.name === "string" ? row.name : undefined;
  }
}

async function hash(token: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))).toHex();
}
