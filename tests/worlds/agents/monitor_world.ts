import { appendAgentLog } from "../../../hooks/agents/log_line.ts";
import { Locks } from "../../../hooks/agents/locks/locks.ts";
import type { Message } from "../../../hooks/agents/messages/message.ts";
import { AgentSessions, type AgentStatus, type SessionId } from "../../../hooks/agents/sessions/session.ts";
import type { Surroundings } from "../../../hooks/state/paths.ts";
import { type Mesh, openMesh } from "../../../connectors/base/agents/mesh.ts";
import type { Context, Mode } from "../../../connectors/base/cli/command.ts";
import { Flags } from "../../../connectors/base/cli/flags.ts";
import { createUi } from "../../../connectors/base/cli/output/ui.ts";
import { sampleMessage } from "../../../connectors/base/testing/sample_message.ts";
import { CONNECT_COMMANDS } from "../../../connectors/connect/commands.ts";
import { Feed } from "../../../connectors/connect/monitor/web/feed.ts";
import { monitorServer } from "../../../connectors/connect/monitor/web/server.ts";
import { HARNESSES } from "../../../connectors/registry.ts";

/** What a message is between; the sender is a person without `from`. */
export interface Letter {
  readonly from?: SessionId;
  readonly to: SessionId;
  readonly text: string;
  readonly at: number;
  /** When it was seen; undefined if it still waits. */
  readonly seenAt?: number;
  readonly more?: Partial<Message>;
}

/** A machine with agents, and the monitor page of it on a port of its own. */
export class MonitorWorld implements AsyncDisposable {
  readonly token = "the-token-of-this-test";
  readonly mesh: Mesh;
  readonly url: string;
  /** What the monitor wrote to its terminal. */
  readonly terminal: string[] = [];
  readonly #home: string;
  readonly #stop = new AbortController();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #running: Promise<void>;

  constructor(mode: Mode = "admin") {
    this.#home = Deno.makeTempDirSync({ prefix: "signet-monitor-" });
    const host: Surroundings = {
      env: (name) => name === "HOME" ? this.#home : undefined,
      os: Deno.build.os,
    };
    this.mesh = openMesh(host, true);
    const feed = new Feed(this.mesh);
    const app = monitorServer({
      context: this.#context(host, mode),
      feed,
      token: this.token,
      signal: this.#stop.signal,
    });
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (request, { remoteAddr }) => app.fetch(request, { peer: remoteAddr.hostname }),
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
    this.#running = feed.run(this.#stop.signal);
  }

  /** The address that the command prints. */
  get address(): string {
    return `${this.url}/#token=${this.token}`;
  }

  #context(host: Surroundings, mode: Mode): Context {
    const command = CONNECT_COMMANDS.find(({ id }) => id === "monitor");
    if (command === undefined) throw new Error("There is no command monitor.");
    const write = (text: string) => void this.terminal.push(text);
    const ui = createUi({
      json: false,
      quiet: false,
      env: host.env,
      terminal: { stdout: false, stderr: false, stdin: false, columns: 80, out: write, err: write },
    });
    const flags = new Flags(new Map());
    return {
      command,
      binary: "signet-connect",
      harnesses: [],
      commands: CONNECT_COMMANDS,
      known: HARNESSES,
      flags,
      args: [],
      mode,
      host,
      ui,
    };
  }

  begin(
    harness: string,
    key: string,
    options: { project?: string; agentId?: string; at?: number } = {},
  ): SessionId {
    const { project = "/home/u/larkspur", agentId = "nicholai", at = Date.now() } = options;
    const id = { harness, key };
    new AgentSessions(this.mesh.dir, () => Math.round(at)).begin({
      ...id,
      agentId,
      url: "http://127.0.0.1:9",
      project,
      machine: "laptop",
      wake: "hook",
    });
    return id;
  }

  /** The session does something else from now on, or from `at`. */
  does(id: SessionId, status: AgentStatus, more: { tool?: string; file?: string; at?: number } = {}): void {
    const { at = Date.now(), ...change } = more;
    new AgentSessions(this.mesh.dir, () => Math.round(at)).update(id, { status, ...change });
  }

  ends(id: SessionId, at = Date.now()): void {
    this.mesh.sessions.end(id);
    appendAgentLog(this.mesh.dir, { at, event: "ended", session: id.key, harness: id.harness });
  }

  /** A message as the log has it, sent and seen at given times. */
  writes({ from, to, text, at, seenAt, more }: Letter): Message {
    const message = sampleMessage({
      at: Math.round(at),
      text,
      from: from === undefined ? { agentId: "nicholai", session: this.mesh.person.key, machine: "laptop" } : {
        agentId: "nicholai",
        session: from.key,
        harness: from.harness,
        machine: "laptop",
        cwd: "larkspur",
      },
      to: { session: to.key },
      ...more,
    });
    const inbox = { session: to.key, harness: to.harness };
    appendAgentLog(this.mesh.dir, { at: Math.round(at), event: "put", ...inbox, message });
    if (seenAt !== undefined) {
      appendAgentLog(this.mesh.dir, { at: Math.round(seenAt), event: "shown", ...inbox, id: message.id });
    }
    return message;
  }

  async locks(id: SessionId, path: string, intent = "", at = Date.now()): Promise<void> {
    const owner = { agentId: "nicholai", harness: id.harness, session: id.key, machine: "laptop" };
    await new Locks(this.mesh.dir, () => at).take(path, "/", { owner, intent });
  }

  async unlocks(id: SessionId, path: string, at = Date.now()): Promise<void> {
    const owner = { agentId: "nicholai", harness: id.harness, session: id.key, machine: "laptop" };
    await new Locks(this.mesh.dir, () => at).free(owner, { path });
  }

  /** Asks the server, with the token unless the headers have another. */
  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, ...init.headers };
    return await fetch(`${this.url}${path}`, { ...init, headers });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#server.shutdown();
    await Deno.remove(this.#home, { recursive: true });
  }
}
