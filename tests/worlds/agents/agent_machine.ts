import { AgentSessions, type ListedSession, type SessionId } from "../../../hooks/agents/sessions/session.ts";
import { Inbox } from "../../../hooks/agents/messages/inbox.ts";
import { makeAgentsDir } from "../../../hooks/agents/dir.ts";
import { openMesh } from "../../../connectors/base/agents/mesh.ts";
import type { Surroundings } from "../../../hooks/state/paths.ts";
import { ScratchHome } from "../../../connectors/base/testing/scratch_home.ts";
import { findConnector } from "../find_connector.ts";
import { call, type Called } from "../cli_call.ts";

const connect = findConnector("signet-connect");

export interface SessionFacts {
  readonly key?: string;
  readonly agentId?: string;
  readonly project?: string;
}

/** A machine of the mesh: a home of its own, live sessions, and signet-connect. */
export class AgentMachine extends ScratchHome {
  readonly host: Surroundings;
  readonly dir: string;
  readonly sessions: AgentSessions;
  readonly inbox: Inbox;
  readonly #env: Record<string, string>;

  private constructor(path: string, env: Record<string, string>) {
    super(path);
    this.#env = { HOME: path, PATH: `${path}/bin:/usr/bin:/bin`, ...env };
    this.host = { env: (name) => this.#env[name], os: Deno.build.os };
    this.dir = makeAgentsDir(this.host);
    this.sessions = new AgentSessions(this.dir);
    this.inbox = new Inbox(this.dir);
  }

  static async make(
    env: Record<string, string> = {},
    options?: Deno.MakeTempOptions,
  ): Promise<AgentMachine> {
    return new AgentMachine(await ScratchHome.makeRoot(options), env);
  }

  /** A harness that is installed with the mesh, for an agent of a daemon. */
  async connect(harness: string, settings: { url: string; agentId: string; apiKey?: string }): Promise<void> {
    const text = JSON.stringify({ ...settings, machineId: this.path, options: { agents: true } });
    await this.write(`.config/signet/connectors/${harness}.json`, text, 0o600);
  }

  /** A live session, as the hooks of a harness write it down. */
  begin(harness: string, facts: SessionFacts = {}, status: ListedSession["status"] = "idle"): ListedSession {
    const id = { harness, key: facts.key ?? crypto.randomUUID() };
    this.sessions.begin({
      ...id,
      agentId: facts.agentId ?? "me",
      url: "http://127.0.0.1:1",
      project: facts.project ?? "/home/u/app",
      machine: this.path,
      wake: "none",
    });
    this.sessions.update(id, { status });
    const session = this.sessions.get(id);
    if (session === undefined) throw new Error("The session was not written.");
    return session;
  }

  /** Runs signet-connect in this process. */
  async run(...args: string[]): Promise<Called> {
    return await call(connect, args, { host: this.host });
  }

  /** The JSON document of a command. */
  async json(...args: string[]): Promise<{ code: number; data: Record<string, unknown> }> {
    const { code, out } = await this.run(...args, "--json");
    return { code, data: JSON.parse(out) };
  }

  /** Where answers to the A2A gateway wait. */
  get gateway(): SessionId {
    return openMesh(this.host).gateway;
  }

  /** The texts that wait for a session. */
  unread(session: Pick<ListedSession, "harness" | "key">): string[] {
    return this.inbox.peek(session, "new").map(({ text }) => text);
  }
}
