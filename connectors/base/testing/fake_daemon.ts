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
    return new FakeDaemon(() => ({ kind: "answered", status, body }));
  }

  static away(): FakeDaemon {
    return new FakeDaemon(() => ({ kind: "unreachable", cause: "offline" }));
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
