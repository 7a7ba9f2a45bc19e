import { VERSION } from "./version.ts";
import { cleanAnswer, parseAnswer } from "./clean_answer.ts";
import { isObject } from "../json.ts";
import { httpClient, prepareNetwork } from "./network.ts";
import { keyAllowed } from "./origin.ts";
import { KeyRedactor } from "./redact_key.ts";
import type { Settings } from "./settings.ts";
import type * as wire from "./wire.ts";
import { HOOK_PATHS } from "./wire.ts";

/** The result of a request. A request never throws. */
export type Reply<T> =
  | {
    readonly kind: "ok";
    readonly status: number;
    readonly body: T;
    readonly ms: number;
    /** What to add to this machine's time for the daemon's; undefined if they agree. */
    readonly offsetMs?: number;
  }
  /** The status is not 2xx. */
  | {
    readonly kind: "http";
    readonly status: number;
    readonly error?: string;
    /** Whether the body was JSON: a 4xx from a proxy or captive portal is not the daemon's answer. */
    readonly json: boolean;
    readonly retryAfterMs?: number;
    readonly ms: number;
  }
  /** No connection, or it broke: refused, reset, no such host, bad certificate. */
  | { readonly kind: "unreachable"; readonly reason: string; readonly ms: number }
  | { readonly kind: "timeout"; readonly ms: number }
  /** 2xx, but no JSON object: a captive portal, half an answer. `found` says what else is wrong with it. */
  | { readonly kind: "notJson"; readonly status: number; readonly ms: number; readonly found?: string }
  | { readonly kind: "tooLarge"; readonly ms: number }
  | { readonly kind: "redirect"; readonly ms: number }
  /** Not sent, because of a problem in the settings. */
  | { readonly kind: "blocked"; readonly problem: string; readonly ms: number };

/** A request that failed. */
export type FailedReply = Exclude<Reply<unknown>, { kind: "ok" }>;

/** An answer that is a stream. */
export interface OpenedStream {
  /** It is not a `Reply`. */
  readonly kind: "stream";
  /** The bytes; cancelling it closes the connection. */
  readonly body: ReadableStream<Uint8Array>;
  /** As in a `Reply`. */
  readonly offsetMs?: number;
  /** A parsed part of it without what could do harm, as in every answer. */
  clean(value: unknown): unknown;
}

/** Options of one request. */
export interface RequestOptions {
  /** The time limit of the request. */
  timeoutMs?: number;
  /** The same on every try, so that the daemon processes it once. */
  idempotencyKey?: string;
  /** Additional headers. */
  headers?: Record<string, string>;
  /** Cancels the request. */
  signal?: AbortSignal;
}

/** Options of a client. */
export interface ClientOptions {
  /** The daemon's origin. */
  url: string;
  /** The harness that calls. */
  harness: string;
  /** The agent whose memory is used; `default` if not given. */
  agentId?: string;
  /** The API key; only sent over https or to this machine. */
  apiKey?: string;
  /** Allow the key on plain HTTP to another machine. */
  insecureHttp?: boolean;
  /** `plugin` for code that runs inside the harness. */
  runtimePath?: "legacy" | "plugin";
  /** Why nothing may be sent, from `loadSettings`. */
  problem?: string;
}

/** An inject is at most some 100 kB; this leaves room for large recalls and none for a flood. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 10_000;

/** Talks to one daemon as one agent of one harness. */
export class DaemonClient {
  /** The daemon's origin. */
  readonly url: string;
  /** The harness that calls. */
  readonly harness: string;
  /** The agent whose memory is used. */
  readonly agentId: string;
  /** `plugin` for code that runs inside the harness. */
  readonly runtimePath: "legacy" | "plugin";
  readonly #apiKey: string | undefined;
  readonly #problem: string | undefined;
  #keyRedactor: KeyRedactor | undefined;

  /** A client of one daemon, for one agent of one harness. */
  constructor(options: ClientOptions) {
    this.url = options.url.replace(/\/$/, "");
    this.harness = options.harness;
    this.agentId = options.agentId ?? "default";
    this.runtimePath = options.runtimePath ?? "legacy";
    this.#problem = options.problem ?? keyProblem(this.url, options);
    this.#apiKey = this.#problem === undefined ? options.apiKey : undefined;
    prepareNetwork(this.url);
  }

  /** A client with these settings. */
  static from(settings: Settings, runtimePath: "legacy" | "plugin" = "legacy"): DaemonClient {
    return new DaemonClient({ ...settings, runtimePath });
  }

  /** Reports the start of a session; the answer has what the agent should know. */
  sessionStart(
    body: wire.SessionStartRequest,
    options?: RequestOptions,
  ): Promise<Reply<wire.SessionStartAnswer>> {
    return this.#hook("session-start", body, options);
  }

  /** Asks what the daemon knows about the user's prompt. */
  userPromptSubmit(
    body: wire.UserPromptSubmitRequest,
    options?: RequestOptions,
  ): Promise<Reply<wire.UserPromptSubmitAnswer>> {
    return this.#hook("user-prompt-submit", body, options);
  }

  /** Reports the end of a session, with its conversation. */
  sessionEnd(body: wire.SessionEndRequest, options?: RequestOptions): Promise<Reply<wire.SessionEndAnswer>> {
    return this.#hook("session-end", body, options);
  }

  /** Asks how to summarise a conversation. */
  preCompaction(
    body: wire.PreCompactionRequest,
    options?: RequestOptions,
  ): Promise<Reply<wire.PreCompactionAnswer>> {
    return this.#hook("pre-compaction", body, options);
  }

  /** Sends the summary of a compaction. */
  compactionComplete(
    body: wire.CompactionCompleteRequest,
    options?: RequestOptions,
  ): Promise<Reply<wire.CompactionCompleteAnswer>> {
    return this.#hook("compaction-complete", body, options);
  }

  /** Sends the conversation of a running session. */
  checkpoint(body: wire.CheckpointRequest, options?: RequestOptions): Promise<Reply<wire.CheckpointAnswer>> {
    return this.#hook("checkpoint", body, options);
  }

  /** Stores a memory. */
  remember(
    body: wire.HookRememberRequest,
    options?: RequestOptions,
  ): Promise<Reply<wire.HookRememberAnswer>> {
    return this.#hook("remember", body, options);
  }

  /** Searches memories. */
  recall(body: wire.HookRecallRequest, options?: RequestOptions): Promise<Reply<wire.HookRecallAnswer>> {
    return this.#hook("recall", body, options);
  }

  #hook<T>(name: keyof typeof HOOK_PATHS, body: object, options?: RequestOptions): Promise<Reply<T>> {
    const idempotencyKey = options?.idempotencyKey ?? crypto.randomUUID();
    return this.request<T>("POST", HOOK_PATHS[name], this.envelope(body), { ...options, idempotencyKey });
  }

  /** A hook body with the fields that all of them have; both spellings of the agent id, as versions differ. */
  envelope(body: object): Record<string, unknown> {
    return {
      harness: this.harness,
      agentId: this.agentId,
      agent_id: this.agentId,
      runtimePath: this.runtimePath,
      ...body,
    };
  }

  /** Calls any route. The answer is not validated against `T`: check fields before use. */
  async request<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<Reply<T>> {
    const started = performance.now();
    const ms = () => Math.round(performance.now() - started);
    if (this.#problem !== undefined) return { kind: "blocked", problem: this.#problem, ms: 0 };
    const deadline = AbortSignal.timeout(Math.max(1, Math.round(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)));
    try {
      const response = await fetch(this.url + path, {
        method,
        headers: this.#headers(body !== undefined, options),
        body: body === undefined ? undefined : JSON.stringify(body),
        redirect: "error",
        client: httpClient(this.url),
        signal: options.signal ? AbortSignal.any([deadline, options.signal]) : deadline,
      });
      const text = await readBounded(response);
      if (text === undefined) return { kind: "tooLarge", ms: ms() };
      const value = parseAnswer(text, this.#redactor());
      if (!response.ok) return refusal(response, value, ms());
      if (!isObject(value) && !Array.isArray(value)) {
        return { kind: "notJson", status: response.status, ms: ms() };
      }
      // The only cast of an answer; every field of the wire types is optional.
      return {
        kind: "ok",
        status: response.status,
        body: value as T,
        ms: ms(),
        offsetMs: clockOffset(response.headers.get("date")),
      };
    } catch (error) {
      return failure(error, deadline.aborted, ms());
    }
  }

  /**
   * Opens a route that answers with a stream of events. The time limit and the
   * signal are for the headers: to stop later, cancel the body.
   */
  async open(
    path: string,
    options: RequestOptions = {},
  ): Promise<OpenedStream | FailedReply> {
    if (this.#problem !== undefined) return { kind: "blocked", problem: this.#problem, ms: 0 };
    const started = performance.now();
    const ms = () => Math.round(performance.now() - started);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    try {
      const response = await fetch(this.url + path, {
        headers: this.#headers(false, { ...options, headers: { accept: "text/event-stream" } }),
        redirect: "error",
        client: httpClient(this.url),
        signal: options.signal ? AbortSignal.any([late.signal, options.signal]) : late.signal,
      });
      if (response.ok && response.body !== null) {
        return {
          kind: "stream",
          body: response.body,
          offsetMs: clockOffset(response.headers.get("date")),
          clean: (value) => cleanAnswer(value, this.#redactor()),
        };
      }
      const value = parseAnswer(await readBounded(response) ?? "", this.#redactor());
      return refusal(response, value, ms());
    } catch (error) {
      return failure(error, late.signal.aborted, ms());
    } finally {
      clearTimeout(timer);
    }
  }

  /** Made with the first answer. */
  #redactor(): KeyRedactor | undefined {
    if (this.#apiKey === undefined) return undefined;
    return this.#keyRedactor ??= new KeyRedactor(this.#apiKey);
  }

  #headers(hasBody: boolean, options: RequestOptions): Record<string, string> {
    const headers: Record<string, string> = {
      accept: "application/json",
      "x-signet-harness": this.harness,
      "x-signet-connector-version": VERSION,
      "x-signet-runtime-path": this.runtimePath,
      "x-signet-agent-id": this.agentId,
      ...options.headers,
    };
    if (hasBody) headers["content-type"] = "application/json";
    if (options.idempotencyKey) headers["idempotency-key"] = options.idempotencyKey;
    if (this.#apiKey) headers.authorization = `Bearer ${this.#apiKey}`;
    return headers;
  }
}

function keyProblem(url: string, { apiKey, insecureHttp }: ClientOptions): string | undefined {
  if (!apiKey) return undefined;
  if (!keyAllowed(url, insecureHttp ?? false)) {
    return `The key is not sent to ${url} over plain http; use https.`;
  }
  // fetch would include the whole header, and so the key, in its error.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) return "The key contains an invalid character; copy it again.";
  return undefined;
}

async function readBounded(response: Response): Promise<string | undefined> {
  if (response.body === null) return "";
  // The transport enforces the length, and reading the body at once halves the cost.
  const length = Number(response.headers.get("content-length") ?? NaN);
  if (length <= MAX_ANSWER_BYTES) return await response.text();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function errorText(value: unknown): string | undefined {
  return isObject(value) && typeof value.error === "string" ? value.error.slice(0, 300) : undefined;
}

/** A header of whole seconds, and a slow network: less is no difference between clocks. */
const SAME_CLOCK_MS = 60_000;

function clockOffset(date: string | null, now = Date.now()): number | undefined {
  const offset = date === null ? NaN : Date.parse(date) - now;
  return Math.abs(offset) > SAME_CLOCK_MS ? offset : undefined;
}

/** The header in seconds or as a date, or the body's `retryAfter`. */
export function retryAfter(header: string | null, value: unknown, now = Date.now()): number | undefined {
  const text = header ??
    (isObject(value) && typeof value.retryAfter === "number" ? `${value.retryAfter}` : "");
  if (text === "") return undefined;
  const number = Number(text);
  const ms = !Number.isFinite(number)
    ? Date.parse(text) - now
    : number > EARLIEST_MOMENT
    ? number - now
    : number * 1000;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, 3_600_000) : undefined;
}

/** Signet 0.145 answers the moment in ms since 1970, not a number of seconds. */
const EARLIEST_MOMENT = 1e9;

/** An answer whose status is not 2xx. */
function refusal(response: Response, value: unknown, ms: number): FailedReply {
  return {
    kind: "http",
    status: response.status,
    error: errorText(value),
    json: isObject(value),
    retryAfterMs: retryAfter(response.headers.get("retry-after"), value),
    ms,
  };
}

function failure(error: unknown, timedOut: boolean, ms: number): FailedReply {
  const reason = error instanceof Error ? reasons(error) : String(error);
  if (timedOut || (error instanceof DOMException && error.name !== "TypeError")) {
    return { kind: "timeout", ms };
  }
  if (/redirect/i.test(reason)) return { kind: "redirect", ms };
  return { kind: "unreachable", reason, ms };
}

/** The last parts of fetch's message name the cause; the first ones repeat the URL. */
function reasons(error: Error): string {
  const parts = error.message.split(": ");
  return parts.slice(-2).join(": ").replace(/ \(os error \d+\)/, "").slice(0, 200);
}
