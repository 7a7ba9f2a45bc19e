import { isObject } from "../../hooks/json.ts";
import { fromFileUrl } from "@std/path";
import { killGroup, run } from "./process.ts";

/** A request as the mock daemon recorded it. */
export interface DaemonRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
  /** What a real daemon would have ignored in silence. */
  readonly warnings: readonly string[];
}

const MAIN = fromFileUrl(new URL("../../mock_daemon/main.ts", import.meta.url));

/** Fetches what the mock daemon imports, while there is a network. */
export async function fetchDaemon(): Promise<void> {
  const cached = await run(Deno.execPath(), ["cache", MAIN], { timeoutMs: 300_000 });
  if (cached.code !== 0) {
    throw new Error(`the mock daemon's modules could not be fetched: ${cached.stderr.trim()}`);
  }
}

/** The mock daemon as a process of its own, so that it can really be dead. */
export class Daemon implements AsyncDisposable {
  #child: Deno.ChildProcess | undefined;
  #port = 0;

  constructor(readonly db: string) {}

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts it; after `kill`, where it was: same port, same memory. */
  async start(): Promise<void> {
    const options = ["--port", String(this.#port), "--db", this.db, "--scriptable"];
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--cached-only", "--no-check", MAIN, ...options],
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
      detached: true,
    }).spawn();
    this.#child = child;
    let said = "";
    for await (
      const chunk of child.stdout.pipeThrough(new TextDecoderStream()).values({ preventCancel: true })
    ) {
      said += chunk;
      const port = said.match(/http:\/\/127\.0\.0\.1:(\d+)/)?.[1];
      if (port === undefined) continue;
      this.#port = Number(port);
      return;
    }
    throw new Error(`the mock daemon ended before it named its URL; it said: ${said.trim() || "nothing"}`);
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    killGroup(child.pid, "SIGKILL");
    await child.status;
  }

  /** Stops it without ending it: it accepts connections and answers none, until `thaw`. */
  freeze(): void {
    if (this.#child !== undefined) killGroup(this.#child.pid, "SIGSTOP");
  }

  thaw(): void {
    if (this.#child !== undefined) killGroup(this.#child.pid, "SIGCONT");
  }

  async remember(agentId: string, content: string): Promise<void> {
    await this.#post("/api/memory/remember", { content, agentId, who: "e2e" });
  }

  /** Makes a hook's requests be answered with `body`. */
  async answer(route: string, body: Record<string, unknown>): Promise<void> {
    await this.#post("/__mock/script", { route, times: 1000, body });
  }

  /** Every hook request so far, oldest first. */
  async hooks(): Promise<DaemonRequest[]> {
    const found: DaemonRequest[] = [];
    for (const entry of await this.#recorded()) {
      const { path, headers, body, warnings } = entry;
      if (typeof path !== "string" || !path.startsWith("/api/hooks/") || !isObject(body)) continue;
      found.push({
        path,
        headers: isObject(headers) ? strings(headers) : {},
        body,
        warnings: Array.isArray(warnings) ? warnings.map(String) : [],
      });
    }
    return found;
  }

  /** The agents of all requests to a route, oldest first. */
  async agentsAt(route: string): Promise<string[]> {
    return (await this.#recorded()).filter(({ path }) => path === route).map(({ agent }) => String(agent));
  }

  async forgetRequests(): Promise<void> {
    await fetch(`${this.url}/__mock/requests`, { method: "DELETE" }).then((answer) => answer.body?.cancel());
  }

  async #recorded(): Promise<Record<string, unknown>[]> {
    const answer: unknown = await (await fetch(`${this.url}/__mock/requests?limit=1000`)).json();
    const list = isObject(answer) ? answer.requests : answer;
    return Array.isArray(list) ? list.filter(isObject) : [];
  }

  async #post(path: string, body: unknown): Promise<void> {
    const answer = await fetch(`${this.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const said = await answer.text();
    if (!answer.ok) throw new Error(`the mock daemon answered ${answer.status} to ${path}: ${said}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

function strings(record: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, String(value)]));
}
