import type { Lock } from "../../../../hooks/agents/locks/lock.ts";
import type { LeaseAnswer, LeaseStore } from "../locks/lease.ts";
import { pause } from "../pause.ts";
import type { NatsLink } from "./link.ts";
import type { NatsTransport } from "./nats_transport.ts";
import {
  blocking,
  holds,
  type Lease,
  leasesText,
  parseLeases,
  withLease,
  withoutLease,
} from "./repo_leases.ts";

/** Each round one of the competing machines succeeds, and most of the others then give up. */
const ROUNDS = 200;
const LONGEST_PAUSE_MS = 250;
const TRIES = 3;
const TRY_AGAIN_MS = 300;

type Step<T> =
  | { readonly write: readonly Lease[]; readonly result: T }
  | { readonly result: T };

/**
 * Shared locks in a NATS key-value bucket. Every change names the revision that it
 * is based on, and the server refuses it if there is a newer one. When a lease ends
 * is in the value, by the server's clock.
 */
export class NatsLeases implements LeaseStore {
  readonly #transport: Pick<NatsTransport, "useTimed" | "serverTime" | "failure">;

  constructor(transport: Pick<NatsTransport, "useTimed" | "serverTime" | "failure">) {
    this.#transport = transport;
  }

  async take(lock: Lock): Promise<LeaseAnswer> {
    return await this.#change<LeaseAnswer>(lock, (leases, now) => {
      const other = blocking(leases, lock, now);
      if (other === undefined) return { write: withLease(leases, lock, now), result: { kind: "taken" } };
      return { result: { kind: "held", lock: other.lock, until: Date.now() + other.until - now } };
    });
  }

  async renew(lock: Lock): Promise<boolean> {
    return await this.#change<boolean>(lock, (leases, now) => {
      // A lease that has ended and that nobody else took is still this session's to have.
      const isFree = holds(leases, lock, now) || blocking(leases, lock, now) === undefined;
      return isFree ? { write: withLease(leases, lock, now), result: true } : { result: false };
    });
  }

  async free(lock: Lock): Promise<void> {
    await this.#change<void>(
      lock,
      (leases, now) =>
        holds(leases, lock, now)
          ? { write: withoutLease(leases, lock, now), result: undefined }
          : { result: undefined },
    );
  }

  async #change<T>(lock: Lock, step: (leases: readonly Lease[], now: number) => Step<T>): Promise<T> {
    const key = await keyOf(lock);
    for (let tries = 1;; tries++) {
      try {
        return await this.#transport.useTimed((link) => this.#settle(link, key, lock, step));
      } catch (error) {
        // Done twice, each change has the same result: it may be tried again, for instance without a leader.
        if (tries === TRIES || this.#transport.failure(error).code !== "later") {
          throw new Error(this.#transport.failure(error).why, { cause: error });
        }
        await pause(TRY_AGAIN_MS * tries);
      }
    }
  }

  async #settle<T>(
    link: NatsLink,
    key: string,
    lock: Lock,
    step: (leases: readonly Lease[], now: number) => Step<T>,
  ): Promise<T> {
    const bucket = await link.locks();
    for (let round = 0; round < ROUNDS; round++) {
      const entry = await bucket.get(key);
      const leases = entry === null || entry.operation !== "PUT" ? [] : parseLeases(entry.string());
      const next = step(leases, this.#transport.serverTime());
      if (!("write" in next)) return next.result;
      if (await replace(link, key, leasesText(next.write), entry?.revision)) return next.result;
      await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, 5 * (round + 1)));
    }
    throw new Error(
      `the shared locks of ${lock.repo?.remote ?? lock.path} changed ${ROUNDS} times meanwhile`,
    );
  }
}

/** Writes a value if nobody has written since the revision; without one, if there is none. */
async function replace(link: NatsLink, key: string, text: string, revision = 0): Promise<boolean> {
  const bucket = await link.locks();
  try {
    await bucket.put(key, text, { previousSeq: revision });
    return true;
  } catch (error) {
    const { isWrongRevision } = await import("./link.ts");
    if (isWrongRevision(error)) return false;
    throw error;
  }
}

/** One key per repository. */
async function keyOf({ repo, path }: Lock): Promise<string> {
  const bytes = new TextEncoder().encode(repo?.remote ?? path);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return digest.slice(0, 16).toHex();
}
