import { isObject, text } from "../json.ts";

/** One request and its response, with keys redacted. */
export interface Recorded {
  /** Increasing; the cursor of `GET /__mock/requests`. */
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
  /** Parsed JSON, or the text if it is not JSON. */
  readonly body?: unknown;
  readonly bodyBytes: number;
  readonly status: number;
  /** One word for the result: ok, stub, skipped, noise, error, … */
  readonly outcome: string;
  readonly ms: number;
  readonly answer?: unknown;
  readonly warnings: readonly string[];
  /** The scripted fault that was applied. */
  readonly fault?: string;
  /** The request that the inspector sent again. */
  readonly replayOf?: number;
  /** The body was too long to keep whole. */
  readonly truncated?: true;
}

/** A request as a list shows it: without its contents, but with one line of text. */
export type RequestSummary = Omit<Recorded, "headers" | "body" | "answer" | "query"> & {
  readonly gist?: string;
  /** The daemon's reason, if the request failed. */
  readonly error?: string;
};

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

export function summarize(entry: Recorded): RequestSummary {
  const { headers: _headers, body, answer, query: _query, ...rest } = entry;
  const line = isObject(body)
    ? GIST_FIELDS.map((name) => text(body[name])).find((value) => value !== undefined)
    : undefined;
  const reason = isObject(answer) ? text(answer.error) : text(answer);
  return {
    ...rest,
    gist: line === undefined ? undefined : oneLine(line),
    error: entry.status < 400 || reason === undefined ? undefined : oneLine(reason),
  };
}

function oneLine(value: string): string {
  return value.replace(/\s+/g, " ").slice(0, 160);
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

/** Longer bodies are truncated. */
const BODY_CHARS = 256 * 1024;
/** The limit for all kept requests together, so that memory stays flat in a long run. */
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
    const stored: Recorded = { id: this.#last, ...truncateBodies(entry) };
    // A synchronous write: the line has reached the kernel before the response is sent.
    if (this.#file !== undefined) writeAll(this.#file, new TextEncoder().encode(`${line}\n`));
    const bytes = Math.min(line.length, 2 * BODY_CHARS) * 2;
    this.#entries.push({ entry: stored, bytes });
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
    for (const listener of this.#listeners) listener(stored);
    return stored;
  }

  /** Entries after the cursor, oldest first. */
  list(filter: RequestFilter = {}, after = 0, limit = 500): Recorded[] {
    const matching: Recorded[] = [];
    for (const { entry } of this.#entries) {
      if (entry.id > after && matches(entry, filter)) matching.push(entry);
      if (matching.length === limit) break;
    }
    return matching;
  }

  get(id: number): Recorded | undefined {
    return this.#entries.find(({ entry }) => entry.id === id)?.entry;
  }

  get cursor(): number {
    return this.#last;
  }

  /** The oldest id that is still kept. */
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

function truncateBodies(entry: Omit<Recorded, "id">): Omit<Recorded, "id"> {
  const short = (value: unknown): unknown => {
    const whole = typeof value === "string" ? value : JSON.stringify(value);
    if (whole === undefined || whole.length <= BODY_CHARS) return value;
    return `${whole.slice(0, BODY_CHARS)}… (${whole.length} characters)`;
  };
  const body = short(entry.body);
  return { ...entry, body, answer: short(entry.answer), ...(body === entry.body ? {} : { truncated: true }) };
}
