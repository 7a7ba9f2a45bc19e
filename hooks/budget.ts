import type { EventName } from "./event.ts";
import type { HookProfile } from "./profile.ts";

/**
 * The share of the harness's timeout that a hook may use. The rest is for starting
 * the process on a loaded machine. PyAgent's 5 s becomes 2.5 s: with 0.55 a hanging
 * daemon cost 3.07 s there, and a session start must answer within 3 s.
 */
const SHARE = 0.5;
/** An environment variable may raise the budget to the harness's timeout minus this. */
const MARGIN_MS = 500;
/** For an event without a timeout in the profile. */
const DEFAULT_TIMEOUT_MS = 3000;
/** The longest wait for a memory, even if the harness allows more. */
const CEILING_MS: { readonly [E in EventName]?: number } = { "session-start": 10_000 };
const USUAL_CEILING_MS = 4_000;
/**
 * These return as soon as the event is on disk, so they seldom use their budget;
 * but a machine that starts fifty programs at once needs nearly all of it.
 */
const DURABLE: ReadonlySet<EventName> = new Set(["session-end", "compaction-complete"]);
/** Signet's variables, in ms; the first one that is set wins. */
const VARIABLES: { readonly [E in EventName]?: readonly string[] } = {
  "session-start": ["SIGNET_SESSION_START_TIMEOUT", "SIGNET_FETCH_TIMEOUT"],
  "user-prompt-submit": ["SIGNET_PROMPT_SUBMIT_TIMEOUT", "SIGNET_FETCH_TIMEOUT"],
  "pre-compaction": ["SIGNET_FETCH_TIMEOUT"],
  "checkpoint": ["SIGNET_FETCH_TIMEOUT"],
};

/** How long a hook may take from the start of the process, in ms. */
export function budgetMs(
  profile: Pick<HookProfile, "events">,
  event: EventName,
  env: (name: string) => string | undefined,
): number {
  const timeoutMs = profile.events[event]?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const limit = Math.max(timeoutMs * SHARE, timeoutMs - Math.max(MARGIN_MS, timeoutMs * 0.1));
  for (const name of VARIABLES[event] ?? []) {
    const value = Number(env(name) || NaN);
    // A smaller value is a mistake (seconds for ms) and would turn memory off.
    if (value >= 100) return Math.min(value, limit);
  }
  if (DURABLE.has(event)) return limit;
  return Math.min(CEILING_MS[event] ?? USUAL_CEILING_MS, timeoutMs * SHARE);
}

/** Counts down on the monotonic clock. */
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
