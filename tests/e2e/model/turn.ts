/** The four ways in which harnesses speak to a model. */
export type Api = "anthropic" | "responses" | "chat" | "gemini";

/** One request as it reached the model. */
export interface ModelRequest {
  readonly api: Api;
  readonly path: string;
  /** The body as sent: the place to count what was injected. */
  readonly raw: string;
  readonly body: Record<string, unknown>;
}

/** The model's next answer. */
export interface Turn {
  readonly text?: string;
  /** A tool call; `namespace` where the API groups tools (Codex). */
  readonly tool?: {
    readonly name: string;
    readonly namespace?: string;
    readonly input: Record<string, unknown>;
    /** The input of a tool that takes plain text instead (Codex's apply_patch). */
    readonly text?: string;
  };
  /** The size of the context that the model reports, which is what sets off an automatic compaction. */
  readonly inputTokens?: number;
}

/** Chooses the model's answer to a request. */
export type Script = (request: ModelRequest) => Turn;

/** Plain text, always. */
export const REPLY = "STUB-REPLY: the harbour is calm today.";

export const sayPlainly: Script = () => ({ text: REPLY });

/**
 * Calls a tool in answer to the first request that holds `marker`, and speaks
 * plainly after that. The marker keeps side requests (titles, routers) from
 * using up the call.
 */
export function callToolOnce(marker: string, tool: NonNullable<Turn["tool"]>): Script {
  let called = false;
  return (request) => {
    if (called || !request.raw.includes(marker)) return { text: REPLY };
    called = true;
    return { tool };
  };
}

/** Answers requests that contain `marker` with the given turns in order, and all others with plain text. */
export function inOrder(marker: string, turns: Turn[]): Script {
  const left = [...turns];
  return (request) => (request.raw.includes(marker) ? left.shift() : undefined) ?? { text: REPLY };
}

/** An id that differs from call to call, as harnesses expect of a model. */
let count = 0;
export function nextId(prefix: string): string {
  return `${prefix}_${(++count).toString().padStart(8, "0")}`;
}

/** A server-sent event. */
export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}
