import type { EventName } from "./event.ts";
import type { HookProfile } from "./profile.ts";

/**
 * Our share of the timeout that stands in the harness's config. The rest is for
 * starting on a loaded machine. PyAgent's 5 s becomes 2.5 s: with 0.55 a hanging daemon was
 * seen to cost 3.07 s there, and a session start is to answer within 3 s.
 */
const SHARE = 0.5;
/** What the environment may ask for at most: the harness's timeout less this. */
const MARGIN_MS = 500;
/** An event that the profile does not time. */
const DEFAULT_TIMEOUT_MS = 3000;
/** Nobody waits longer than this for a memory, whatever the harness would allow. */
const CEILING_MS: { readonly [E in EventName]?: number } = { "session-start": 10_000 };
const USUAL_CEILING_MS = 4_000;
/**
 * These return as soon as the event is on disk, so nobody waits for their budget;
 * but on a machine that starts fifty programs at once they need nearly all of it.
 */
const DURABLE: ReadonlySet<EventName> = new Set(["session-end", "compaction-complete"]);
/** Signet's own variables, in ms, first that is set. */
const VARIABLES: { readonly [E in EventName]?: readonly string[] } = {
  "session-start": ["SIGNET_SESSION_START_TIMEOUT", "SIGNET_FETCH_TIMEOUT"],
  "user-prompt-submit": ["SIGNET_PROMPT_SUBMIT_TIMEOUT", "SIGNET_FETCH_TIMEOUT"],
  "pre-compaction": ["SIGNET_FETCH_TIMEOUT"],
  "checkpoint": ["SIGNET_FETCH_TIMEOUT"],
};

/** All the time a hook may take, from the start of the process, in ms. */
export function budgetMs(
  profile: Pick<HookProfile, "events">,
  event: EventName,
  env: (name: string) => string | undefined,
): number {
  const timeoutMs = profile.events[event]?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const limit = Math.max(timeoutMs * SHARE, timeoutMs - Math.max(MARGIN_MS, timeoutMs * 0.1));
  for (const name of VARIABLES[event] ?? []) {
    const asked = Number(env(name) || NaN);
    // Less than this is a typing error (seconds for ms), and would switch memory off.
    if (asked >= 100) return Math.min(asked, limit);
  }
  if (DURABLE.has(event)) return limit;
  return Math.min(CEILING_MS[event] ?? USUAL_CEILING_MS, timeoutMs * SHARE);
}

/** Counts down by a clock that nobody can set. */
export class Deadline {
  readonly #end: number;
  readonly #now: () => number;

  constructor(ms: number, now: () => number = () => performance.now()) {
    // Deno's performance clock starts with the process, so start-up time counts.
    this.#end = ms;
    this.#now = now;
  }

  left(): number {
    return Math.max(0, this.#end - this.#now());
  }
}
