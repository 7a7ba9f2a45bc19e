import { Breaker } from "./daemon/breaker.ts";
import type { Deadline } from "./budget.ts";
import { DaemonClient, type Reply, type RequestOptions } from "./daemon/client.ts";
import { requestContext } from "./daemon/context.ts";
import type { HookEvent } from "./event.ts";
import { stateDir } from "./state/paths.ts";
import type { HookProfile } from "./profile.ts";
import { SessionNotes } from "./state/session_notes.ts";
import type { Settings } from "./daemon/settings.ts";
import type { RequestContext } from "./daemon/wire.ts";

/** What a hook did: what to print, and what the log says. */
export interface Outcome {
  outcome: string;
  print?: string;
  status?: number;
  daemonMs?: number;
  detail?: string;
  /** A daemon spoke to us, so what is spooled for it can go. */
  answered?: boolean;
}

/** Why a request was not made, beside those that the client knows. */
export type Asked<T> = Reply<T> | { kind: "breaker"; ms: number };

const LEAST_MS = 90;

/** One hook's surroundings. */
export class Run {
  readonly profile: HookProfile;
  readonly settings: Settings;
  readonly event: HookEvent;
  readonly deadline: Deadline;
  readonly dir: string | undefined;
  readonly client: DaemonClient;
  readonly breaker: Breaker;
  readonly notes: SessionNotes;

  constructor(profile: HookProfile, settings: Settings, event: HookEvent, deadline: Deadline) {
    this.profile = profile;
    this.settings = settings;
    this.event = event;
    this.deadline = deadline;
    this.dir = stateDir(profile.id);
    this.client = DaemonClient.from(settings, profile.runtimePath);
    this.breaker = new Breaker(this.dir, settings.url);
    this.notes = new SessionNotes(this.dir, settings.url, settings.agentId);
  }

  context(): RequestContext {
    return requestContext(this.settings, this.event);
  }

  /** Asks the daemon in the time that is left, unless it hung a moment ago. */
  async ask<T>(
    call: (client: DaemonClient, options: RequestOptions) => Promise<Reply<T>>,
  ): Promise<Asked<T>> {
    const timeoutMs = this.deadline.left();
    if (this.settings.problem === undefined && this.breaker.skip(timeoutMs)) {
      return { kind: "breaker", ms: 0 };
    }
    const reply = await call(this.client, { timeoutMs });
    // A slow stdin may have left the daemon next to nothing: that is not its fault.
    if (reply.kind === "timeout" && timeoutMs > LEAST_MS) this.breaker.timedOut();
    else if (reply.kind === "timeout") return reply;
    else if (reply.kind !== "blocked") this.breaker.answered();
    return reply;
  }
}

/** The log's word for a request that brought nothing. */
export function failed(reply: Exclude<Asked<unknown>, { kind: "ok" }>): Outcome {
  switch (reply.kind) {
    case "http":
      return {
        outcome: reply.status === 409 ? "conflict" : "refused",
        status: reply.status,
        daemonMs: reply.ms,
        detail: reply.error,
        answered: true,
      };
    case "unreachable":
      return { outcome: "offline", daemonMs: reply.ms, detail: reply.reason };
    case "blocked":
      return { outcome: "blocked", detail: reply.problem };
    case "breaker":
      return { outcome: "breaker" };
    case "notJson":
      return { outcome: "not JSON", status: reply.status, daemonMs: reply.ms };
    case "timeout":
      return { outcome: "timeout", daemonMs: reply.ms };
    case "tooLarge":
      return { outcome: "too large", daemonMs: reply.ms };
    case "redirect":
      return { outcome: "redirect", daemonMs: reply.ms };
  }
}

/** Why the session goes without the daemon, in words for the agent. */
export function whyLocal(reply: Exclude<Asked<unknown>, { kind: "ok" }>): string {
  switch (reply.kind) {
    case "timeout":
    case "breaker":
      return "the memory daemon did not answer in time";
    case "http":
      return `the memory daemon answered with HTTP ${reply.status}`;
    case "blocked":
      return "the memory daemon's settings need attention (run status)";
    default:
      return "the memory daemon cannot be reached";
  }
}
