import { makeAgentsDir } from "../../../hooks/agents/dir.ts";
import { Inbox } from "../../../hooks/agents/messages/inbox.ts";
import { Locks } from "../../../hooks/agents/locks/locks.ts";
import { AgentSessions, type SessionId, type Terminal } from "../../../hooks/agents/sessions/session.ts";
import type { World } from "../world.ts";

/** Agents in a home, as their hooks write them down. */
export class AgentsHome {
  readonly sessions: AgentSessions;
  readonly inbox: Inbox;
  readonly locks: Locks;

  constructor(world: World) {
    const dir = makeAgentsDir({
      env: (name) => name === "HOME" ? world.home : undefined,
      os: Deno.build.os,
    });
    // Sessions are shown in the order in which they began: no two begin in one millisecond.
    let last = 0;
    this.sessions = new AgentSessions(dir, () => last = Math.max(Date.now(), last + 1));
    this.inbox = new Inbox(dir);
    this.locks = new Locks(dir);
  }

  begin(harness: string, key: string, more: { project?: string; terminal?: Terminal } = {}): SessionId {
    const id = { harness, key };
    const { project = "/home/u/app", terminal } = more;
    const fixed = { agentId: "work", url: "http://127.0.0.1:1", machine: "laptop", wake: "none" } as const;
    this.sessions.begin({ ...id, ...fixed, project, terminal });
    return id;
  }

  async lock(owner: SessionId, path: string, intent: string): Promise<void> {
    const { harness, key } = owner;
    await this.locks.take(path, "/", {
      owner: { agentId: "work", harness, session: key, machine: "laptop" },
      intent,
      leaseMs: 3600_000,
    });
  }
}
