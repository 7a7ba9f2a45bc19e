import type { DatabaseSync } from "node:sqlite";

/** Longer than any line of a log. */
const MAX_READ = 1024 * 1024;

/** How far which file was read. */
interface Position {
  readonly ino: string;
  readonly position: number;
}

interface Read {
  readonly lines: string[];
  done(): void;
}

const NOTHING: Read = { lines: [], done: () => {} };

/** Reads what is appended to a log, each line once, also across restarts. */
export class LogTail {
  readonly #database: DatabaseSync;
  readonly #path: string;

  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#path = path;
  }

  /** Skips everything up to now, unless a position is known from an earlier run. */
  begin(): void {
    const info = this.#stat();
    if (this.#position() === undefined) this.#save(info?.ino ?? "", info?.size ?? 0);
  }

  /** The whole lines that are new. Call `done` of the last one once they are dealt with. */
  read(): Read {
    const info = this.#stat();
    const before = this.#position();
    if (info === undefined || before === undefined) return NOTHING;
    if (before.ino !== info.ino) {
      // The log was put aside: first what it got since.
      const rest = this.#restOf(before);
      if (rest.lines.length > 0) return rest;
    }
    // Another file of the same name: the log was rotated or removed.
    const from = before.ino === info.ino && before.position <= info.size ? before.position : 0;
    return this.#linesOf(this.#path, info.ino, from);
  }

  #restOf({ ino, position }: Position): Read {
    const path = `${this.#path}.1`;
    if (this.#stat(path)?.ino !== ino) return NOTHING;
    try {
      return this.#linesOf(path, ino, position);
    } catch {
      return NOTHING; // it was removed in this moment
    }
  }

  #linesOf(path: string, ino: string, from: number): Read {
    const bytes = this.#bytes(path, from);
    const end = bytes.lastIndexOf(10) + 1;
    const lines = new TextDecoder().decode(bytes.subarray(0, end)).split("\n").filter((line) => line !== "");
    const next = end === 0 && bytes.length >= MAX_READ ? from + bytes.length : from + end;
    return { lines, done: () => this.#save(ino, next) };
  }

  #bytes(path: string, from: number): Uint8Array {
    using file = Deno.openSync(path);
    file.seekSync(from, Deno.SeekMode.Start);
    const buffer = new Uint8Array(MAX_READ);
    let size = 0;
    for (;;) {
      const count = file.readSync(buffer.subarray(size));
      if (count === null || count === 0) return buffer.subarray(0, size);
      size += count;
    }
  }

  #stat(path = this.#path): { ino: string; size: number } | undefined {
    try {
      const { ino, size } = Deno.statSync(path);
      return { ino: String(ino ?? ""), size };
    } catch {
      return undefined;
    }
  }

  #position(): Position | undefined {
    const row = this.#database.prepare("select ino, position from positions where file = ?").get(this.#path);
    return row === undefined ? undefined : { ino: String(row.ino), position: Number(row.position) };
  }

  #save(ino: string, position: number): void {
    this.#database.prepare("insert or replace into positions (file, ino, position) values (?, ?, ?)")
      .run(this.#path, ino, position);
  }
}
