import { isObject, text } from "../json.ts";

/** One request and its answer, as the inspector and the tests see it: no key in clear. */
export interface Recorded {
  /** Counts up; the cursor of `GET /__mock/requests`. */
  readonly id: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  /** `session-start` for `/api/hooks/session-start`. */
  readonly event?: string;
  readonly harness?: string;
  readonly agent: string;
  readonly sessionKey?: string;
  readonly headers: Record<string, string>;
  /** Parsed JSON where it is that, else text. */
  readonly body?: unknown;
  readonly bodyBytes: number;
  readonly status: number;
  /** One word for what came of it: ok, stub, skipped, noise, error, … */
  readonly outcome: string;
  readonly ms: number;
  readonly answer?: unknown;
  readonly warnings: readonly string[];
  /** The scripted fault that this request met. */
  readonly fault?: string;
}

/** What a list shows of a request: all but its contents, and one line of what it says. */
export type Brief = Omit<Recorded, "headers" | "body" | "answer" | "query"> & { readonly gist?: string };

const GIST_FIELDS = [
  "userMessage",
  "userPrompt",
  "summary",
  "content",
  "query",
  "reason",
  "source",
  "name",
  "entity",
];

export function brief(entry: Recorded): Brief {
  const { headers: _headers, body, answer: _answer, query: _query, ...rest } = entry;
  const said = isObject(body)
    ? GIST_FIELDS.map((name) => text(body[name])).find((value) => value !== undefined)
    : undefined;
  return { ...rest, gist: said?.replace(/\s+/g, " ").slice(0, 160) };
}

export interface RequestFilter {
  readonly agent?: string;
  readonly harness?: string;
  readonly event?: string;
  readonly session?: string;
  readonly path?: string;
  readonly status?: number;
  readonly warned?: boolean;
}

export function matches(entry: Recorded, filter: RequestFilter): boolean {
  return (filter.agent === undefined || entry.agent === filter.agent) &&
    (filter.harness === undefined || entry.harness === filter.harness) &&
    (filter.event === undefined || entry.event === filter.event) &&
    (filter.session === undefined || entry.sessionKey === filter.session) &&
    (filter.path === undefined || entry.path === filter.path) &&
    (filter.status === undefined || entry.status === filter.status) &&
    (filter.warned === undefined || (entry.warnings.length > 0) === filter.warned);
}

/** More than this of one body is kept as its first part. */
const BODY_CHARS = 256 * 1024;
/** All kept requests together stay under this, so that a long run's memory stays flat. */
const TOTAL_BYTES = 24 * 1024 * 1024;

export class Recorder {
  readonly #keep: number;
  readonly #file: Deno.FsFile | undefined;
  readonly #listeners = new Set<(entry: Recorded) => void>();
  #entries: { entry: Recorded; bytes: number }[] = [];
  #bytes = 0;
  #last = 0;

  constructor(options: { readonly keep?: number; readonly record?: string }) {
    this.#keep = options.keep ?? 2000;
    this.#file = options.record === undefined
      ? undefined
      : Deno.openSync(options.record, { create: true, append: true, mode: 0o600 });
  }

  add(entry: Omit<Recorded, "id">): Recorded {
    const line = JSON.stringify({ id: ++this.#last, ...entry });
    const kept: Recorded = { id: this.#last, ...shorten(entry) };
    // A synchronous write: the line is in the kernel's hands before the answer leaves.
    if (this.#file !== undefined) writeAll(this.#file, new TextEncoder().encode(`${line}\n`));
    const bytes = Math.min(line.length, 2 * BODY_CHARS) * 2;
    this.#entries.push({ entry: kept, bytes });
    this.#bytes += bytes;
    let drop = 0;
    while (
      this.#entries.length - drop > this.#keep ||
      (this.#bytes > TOTAL_BYTES && this.#entries.length - drop > 1)
    ) {
      this.#bytes -= this.#entries[drop]?.bytes ?? 0;
      drop++;
    }
    if (drop > 0) this.#entries.splice(0, drop);
    for (const listener of this.#listeners) listener(kept);
    return kept;
  }

  /** Entries after the cursor, oldest first. */
  list(filter: RequestFilter = {}, after = 0, limit = 500): Recorded[] {
    const found: Recorded[] = [];
    for (const { entry } of this.#entries) {
      if (entry.id > after && matches(entry, filter)) found.push(entry);
      if (found.length === limit) break;
    }
    return found;
  }

  get(id: number): Recorded | undefined {
    return this.#entries.find(({ entry }) => entry.id === id)?.entry;
  }

  get cursor(): number {
    return this.#last;
  }

  /** The oldest id that is still here. */
  get oldest(): number {
    return this.#entries[0]?.entry.id ?? this.#last + 1;
  }

  clear(): void {
    this.#entries = [];
    this.#bytes = 0;
  }

  listen(listener: (entry: Recorded) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#file?.close();
  }
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

function shorten(entry: Omit<Recorded, "id">): Omit<Recorded, "id"> {
  const short = (value: unknown): unknown => {
    const whole = typeof value === "string" ? value : JSON.stringify(value);
    if (whole === undefined || whole.length <= BODY_CHARS) return value;
    return `${whole.slice(0, BODY_CHARS)}… (${whole.length} characters)`;
  };
  return { ...entry, body: short(entry.body), answer: short(entry.answer) };
}
