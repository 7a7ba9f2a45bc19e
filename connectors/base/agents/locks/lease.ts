import type { Lock } from "../../../../hooks/agents/locks/lock.ts";

/**
 * Shared locks in a store that can compare and set, such as a key-value bucket:
 * of any number of simultaneous takers, one wins. The key is `lock.path`, which is
 * the same for a file on every machine. A lease that is over counts as free.
 *
 * A transport without it announces shared locks instead, and two takers at the
 * same moment may both have one.
 */
export interface LeaseStore {
  /** Takes a lease, also over one that has ended; else says whose it is. Throws if the store cannot be reached. */
  take(lock: Lock): Promise<LeaseAnswer>;
  /** Extends a lease by its `leaseMs` from now; false if another session has it by now. */
  renew(lock: Lock): Promise<boolean>;
  /** Frees a lease, unless another session has it by now. */
  free(lock: Lock): Promise<void>;
}

export type LeaseAnswer =
  | { readonly kind: "taken" }
  /** `until` is when it ends unless it is renewed, by this machine's clock. */
  | { readonly kind: "held"; readonly lock: Lock; readonly until?: number };
