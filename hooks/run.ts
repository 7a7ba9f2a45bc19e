import { Breaker } from "./daemon/breaker.ts";
import type { Deadline } from "./budget.ts";
import { DaemonClient, type Reply, type RequestOptions } from "./daemon/client.ts";
import { requestContext } from "./daemon/context.ts";
import { describe, type FailedReply, type SkippedRequest } from "./daemon/describe.ts";
import type { HookEvent } from "./event.ts";
import { stateDir } from "./state/paths.ts";
import { LiveSessions } from "./state/live_sessions.ts";
import type { HookProfile } from "./profile.ts";
import { SessionNotes } from "./state/session_notes.ts";
import type { Settings } from "./daemon/settings.ts";
import type { RequestContext } from "./daemon/wire.ts";

/** The result of a hook: what to print, and what to log. */
export interface Outcome {
  outcome: string;
  print?: string;
  /** The prompt must not reach the model, and why; printed in place of everything else. */
  refuse?: string;
  status?: number;
  daemonMs?: number;
  detail?: string;
  /** The daemon answered, so events that are spooled for it can be sent. */
  answered?: boolean;
  /** The event's file in the spool. */
  spoolFile?: string;
  /** Called once the text was printed. */
  confirm?: () => void;
}

/** The reply to a request that may have been skipped. */
export type Attempt<T> = Reply<T> | SkippedRequest;

/** A timeout shorter than this says nothing about the daemon: a slow stdin used up the budget. */
const MIN_TIMEOUT_MS = 90;

/** A request to this machine is on its way after this time. */
const SENT_MS = 1;

/** One hook call: its input, its settings, and the time it has left. */
export class Run {
  readonly profile: HookProfile;
  readonly settings: Settings;
  readonly event: HookEvent;
  readonly deadline: Deadline;
  readonly dir: string | undefined;
  readonly client: DaemonClient;
  readonly breaker: Breaker;
  readonly notes: SessionNotes;
  readonly live: LiveSessions | undefined;
  /** Resolves while the daemon prepares an answer: the time for short work that needs none. */
  readonly sent: Promise<void>;
  readonly #markSent: () => void;

  constructor(profile: HookProfile, settings: Settings, event: HookEvent, deadline: Deadline) {
    this.profile = profile;
    this.settings = settings;
    this.event = event;
    this.deadline = deadline;
    this.dir = stateDir(profile.id);
    this.client = DaemonClient.from(settings, profile.runtimePath);
    this.breaker = new Breaker(this.dir, settings.url);
    this.notes = new SessionNotes(this.dir, settings.url, settings.agentId);
    this.live = this.dir === undefined ? undefined : new LiveSessions(this.dir);
    ({ promise: this.sent, resolve: this.#markSent } = Promise.withResolvers<void>());
  }

  context(): Promise<RequestContext> {
    return requestContext(this.settings, this.event);
  }

  /** For an event that is written to disk before the repository is read. */
  contextWithoutGit(): Promise<RequestContext> {
    return requestContext(this.settings, this.event, () => undefined);
  }

  /** Calls the daemon in the time that is left, unless it hung a moment ago. */
  async request<T>(
    call: (client: DaemonClient, options: RequestOptions) => Promise<Reply<T>>,
  ): Promise<Attempt<T>> {
    const timeoutMs = this.deadline.left();
    if (this.settings.problem === undefined && this.breaker.skip(timeoutMs)) {
      return { kind: "breaker", ms: 0 };
    }
    const pending = call(this.client, { timeoutMs });
    // By then the request has been sent; starting now would delay it.
    const timer = setTimeout(this.#markSent, SENT_MS);
    const reply = await pending;
    clearTimeout(timer);
    if (reply.kind === "timeout") {
      if (timeoutMs > MIN_TIMEOUT_MS) this.breaker.timedOut();
    } else if (reply.kind !== "blocked") this.breaker.answered();
    return reply;
  }
}

/** What to log about a request that succeeded. */
export function answered(reply: Reply<unknown> & { kind: "ok" }): Omit<Outcome, "outcome"> {
  return { status: reply.status, daemonMs: reply.ms, answered: true };
}

/** What to log about a request that failed. */
export function failed(reply: FailedReply | SkippedRequest, url: string): Outcome {
  const { kind, detail } = describe(reply, url);
  return {
    outcome: kind,
    status: "status" in reply ? reply.status : undefined,
    daemonMs: reply.kind === "breaker" || reply.kind === "blocked" ? undefined : reply.ms,
    detail,
    answered: reply.kind === "http" || undefined,
  };
}
