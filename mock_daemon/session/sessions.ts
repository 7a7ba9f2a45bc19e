import type { Tombstones } from "../store/tombstones.ts";
import type { SessionRules } from "./session_rules.ts";

export type RuntimePath = "plugin" | "legacy";

/** In the real daemon a claim expires four hours after its last call, and warns 30 minutes before. */
const CLAIM_MS = 4 * 60 * 60 * 1000;
const WARN_MS = 30 * 60 * 1000;
/** How long the real daemon remembers that a session received its full inject. */
const STUB_MS = 7 * 24 * 60 * 60 * 1000;

export interface Claim {
  readonly key: string;
  readonly agentId: string;
  readonly runtimePath: RuntimePath;
  readonly harness: string;
  readonly claimedAt: number;
  expiresAt: number;
  warned: boolean;
}

/** What a repeated session-start is recognised by. */
export interface StubSession {
  readonly agentId: string;
  readonly harness: string;
  readonly key: string;
}

/** The real daemon drops a leading `session:`. */
export function plainKey(key: string): string {
  return key.startsWith("session:") ? key.slice("session:".length) : key;
}

/** `agent:<id>:<rest>` names the agent. */
export function agentInKey(key: string): string | undefined {
  return /^agent:([^:]+):/.exec(plainKey(key))?.[1];
}

function sessionId(agentId: string, key: string): string {
  return JSON.stringify([agentId, plainKey(key)]);
}

/**
 * Session claims, and what each session has received. In memory only, like the
 * real daemon: a restart forgets claims, and connectors must handle that. Expiry
 * is checked on read; `#sweep` removes entries that are never read again.
 */
export class Sessions {
  readonly #claims = new Map<string, Claim>();
  readonly #bypassed = new Map<string, number>();
  readonly #injected = new Map<string, Map<string, number>>();
  readonly #epochs = new Map<string, number>();
  readonly #recalled = new Map<string, Set<string>>();
  readonly #tombstones: Tombstones;
  readonly #rules: SessionRules;
  readonly #clock: () => number;
  #sweptAt: number;

  constructor(tombstones: Tombstones, clock: () => number, rules: SessionRules) {
    this.#tombstones = tombstones;
    this.#rules = rules;
    this.#clock = clock;
    this.#sweptAt = clock();
  }

  /** The runtime path that holds a live claim on the session. */
  owner(agentId: string, key: string): RuntimePath | undefined {
    return this.#live(sessionId(agentId, key))?.runtimePath;
  }

  #live(id: string): Claim | undefined {
    const claim = this.#claims.get(id);
    if (claim === undefined || claim.expiresAt > this.#clock()) return claim;
    this.#claims.delete(id);
    this.#bypassed.delete(id);
    return undefined;
  }

  /** Claims the session or renews the claim. Returns the owner if the other path holds it. */
  claim(agentId: string, key: string, path: RuntimePath, harness: string): RuntimePath | undefined {
    this.#sweep();
    const id = sessionId(agentId, key);
    const current = this.#live(id);
    if (current !== undefined && current.runtimePath !== path) return current.runtimePath;
    this.#tombstones.remove(agentId, plainKey(key));
    const now = this.#clock();
    if (current !== undefined) {
      current.expiresAt = now + CLAIM_MS;
      current.warned = false;
      return undefined;
    }
    this.#claims.set(id, {
      key: plainKey(key),
      agentId,
      runtimePath: path,
      harness,
      claimedAt: now,
      expiresAt: now + CLAIM_MS,
      warned: false,
    });
    return undefined;
  }

  renew(agentId: string, key: string): Claim | undefined {
    const claim = this.#live(sessionId(agentId, key));
    if (claim !== undefined) {
      claim.expiresAt = this.#clock() + CLAIM_MS;
      claim.warned = false;
    }
    return claim;
  }

  /** Returned once, in the last half hour of a claim. */
  expiryWarning(agentId: string, key: string): string | undefined {
    const claim = this.#live(sessionId(agentId, key));
    if (claim === undefined || claim.warned) return undefined;
    const left = claim.expiresAt - this.#clock();
    if (left > WARN_MS) return undefined;
    claim.warned = true;
    const minutes = Math.max(1, Math.round(left / 60_000));
    return `session expires in ~${minutes} minute${minutes === 1 ? "" : "s"}`;
  }

  end(agentId: string, key: string, path: RuntimePath | undefined): void {
    const id = sessionId(agentId, key);
    const owner = this.#live(id)?.runtimePath;
    this.#claims.delete(id);
    this.#bypassed.delete(id);
    this.#recalled.delete(id);
    this.#tombstones.put(agentId, plainKey(key), path ?? owner);
  }

  list(agentId?: string): Claim[] {
    return [...this.#claims.keys()]
      .map((id) => this.#live(id))
      .filter((claim) => claim !== undefined)
      .filter((claim) => agentId === undefined || claim.agentId === agentId)
      .sort((a, b) => b.claimedAt - a.claimedAt);
  }

  isBypassed(agentId: string, key: string): boolean {
    return (this.#bypassed.get(sessionId(agentId, key)) ?? 0) > this.#clock();
  }

  bypass(agentId: string, key: string, enabled: boolean): void {
    if (enabled) this.#bypassed.set(sessionId(agentId, key), this.#clock() + CLAIM_MS);
    else this.#bypassed.delete(sessionId(agentId, key));
  }

  get bypassedCount(): number {
    return [...this.#bypassed.values()].filter((until) => until > this.#clock()).length;
  }

  /** A session gets its full inject once: true the first time, then false until `forgetInject`. */
  firstInject(session: StubSession, project: string | undefined): boolean {
    const id = this.#stubId(session);
    const projects = this.#injected.get(id) ?? new Map<string, number>();
    this.#injected.set(id, projects);
    const where = this.#rules.stubPer === "session key" ? "" : project ?? "";
    const first = (projects.get(where) ?? 0) <= this.#clock();
    if (first) projects.set(where, this.#clock() + STUB_MS);
    return first;
  }

  /** Makes the next session-start return the full inject again, in every project. */
  forgetInject(session: StubSession): void {
    this.#injected.delete(this.#stubId(session));
  }

  #stubId({ agentId, harness, key }: StubSession): string {
    const parts = this.#rules.stubPer === "session key" ? [] : [agentId, harness];
    return JSON.stringify([...parts, plainKey(key)]);
  }

  nextEpoch(agentId: string, key: string | undefined): number {
    const id = sessionId(agentId, key ?? "");
    const epoch = (this.#epochs.get(id) ?? 0) + 1;
    this.#epochs.set(id, epoch);
    this.#recalled.delete(id);
    return epoch;
  }

  /** The memories that this session has already received. */
  recalled(agentId: string, key: string): Set<string> {
    const id = sessionId(agentId, key);
    const seen = this.#recalled.get(id) ?? new Set();
    this.#recalled.set(id, seen);
    return seen;
  }

  /** The real daemon cleans up every 15 minutes. */
  #sweep(): void {
    const now = this.#clock();
    if (now - this.#sweptAt < 15 * 60 * 1000) return;
    this.#sweptAt = now;
    for (const id of [...this.#claims.keys()]) this.#live(id);
    for (const [id, projects] of this.#injected) {
      if (Math.max(...projects.values()) <= now) this.#injected.delete(id);
    }
    for (const [id, until] of this.#bypassed) if (until <= now) this.#bypassed.delete(id);
    for (const id of this.#recalled.keys()) if (!this.#claims.has(id)) this.#recalled.delete(id);
    for (const id of this.#epochs.keys()) if (!this.#claims.has(id)) this.#epochs.delete(id);
  }
}
