import type { ProfileName } from "./profile/profile.ts";
import type { KeySpec } from "./store/keys.ts";
import type { IdentityTexts } from "./session/identity.ts";

/** `local` requires no key, `hybrid` requires one from other machines, `team` always requires one. */
export type AuthMode = "local" | "hybrid" | "team";

export interface MockDaemonOptions {
  /** The daemon to be: `design` (the default) follows the contract, the others a real version. */
  readonly profile?: ProfileName;
  readonly auth?: AuthMode;
  /** The database file for memories, keys and tombstones; in memory if absent. */
  readonly db?: string;
  /** A file that gets one JSON line per request. */
  readonly record?: string;
  /** Answers 422 to input that a real daemon would silently ignore. */
  readonly strict?: boolean;
  /** Enables `/__mock/script`, with which a test injects faults. */
  readonly scriptable?: boolean;
  /** Also deduplicates by the `Idempotency-Key` header, which the real daemon does not read. */
  readonly dedupeHeader?: boolean;
  /** The first admin key (`sig_sk_…`), for team mode. */
  readonly adminKey?: string;
  /** Who may log in as an admin at `/api/auth/login`. */
  readonly admin?: { readonly username: string; readonly password: string };
  /** Keys to create at startup. */
  readonly keys?: readonly (KeySpec & { readonly key: string })[];
  /** The Signet workspace whose identity files session-start returns. */
  readonly workspace?: string;
  /** Identity texts to use without a workspace. */
  readonly identity?: Partial<IdentityTexts>;
  /** Known entities, each with a memory about it. */
  readonly entities?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970; tests move it. */
  readonly clock?: () => number;
  /** The harness support table shown in the inspector. */
  readonly matrix?: Matrix;
  /** How many requests to keep in memory for the inspector. */
  readonly keep?: number;
}

/** What each harness supports; harness descriptors have this shape. */
export type Matrix = readonly {
  readonly id: string;
  readonly displayName?: string;
  readonly fidelity: Readonly<Record<string, "yes" | { readonly partly: string } | { readonly no: string }>>;
}[];
