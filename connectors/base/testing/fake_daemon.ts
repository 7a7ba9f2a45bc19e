import { isObject } from "../../../hooks/json.ts";
import type { Answer, MemoryDaemon, Method } from "../memory/daemon.ts";

interface Request {
  method: Method;
  path: string;
  body?: Record<string, unknown>;
}

/** A daemon for tests: returns the given answers, and records the requests. */
export class FakeDaemon implements MemoryDaemon {
  readonly url = "http://127.0.0.1:3850";
  readonly agentId = "nicholai/pi";
  readonly harness = "pyagent";
  readonly requests: Request[] = [];
  readonly kept: Record<string, unknown>[] = [];

  constructor(private readonly answer: (request: Request) => Answer | Promise<Answer>) {}

  /** A daemon that answers everything with this body. */
  static saying(body: unknown, status = 200): FakeDaemon {
    return new FakeDaemon(() => jsonReply(status, body));
  }

  static away(): FakeDaemon {
    return new FakeDaemon(() => ({ kind: "unreachable", reason: "Connection refused", ms: 1 }));
  }

  async request(method: Method, path: string, body?: Record<string, unknown>): Promise<Answer> {
    const request = { method, path, body };
    this.requests.push(request);
    return await this.answer(request);
  }

  keep(body: Record<string, unknown>): Promise<void> {
    this.kept.push(body);
    return Promise.resolve();
  }
}

/** The client's reply to an answer with this status and JSON body; no body means "not JSON". */
export function jsonReply(status: number, body?: unknown): Answer {
  if (status < 300) return { kind: "ok", status, body, ms: 1 };
  const error = isObject(body) && typeof body.error === "string" ? body.error : undefined;
  return { kind: "http", status, error, json: body !== undefined, ms: 1 };
}
