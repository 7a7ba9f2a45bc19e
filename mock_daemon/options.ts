import type { KeySpec } from "./store/keys.ts";
import type { IdentityTexts } from "./session/identity.ts";

/** `local` asks for no key, `hybrid` asks peers from elsewhere, `team` asks everyone. */
export type AuthMode = "local" | "hybrid" | "team";

export interface MockDaemonOptions {
  readonly auth?: AuthMode;
  /** Where memories, keys and tombstones are kept; in memory if absent. */
  readonly db?: string;
  /** A file that gets one JSON line per request. */
  readonly record?: string;
  /** Answers 422 to what a real daemon would silently ignore. */
  readonly strict?: boolean;
  /** Opens `/__mock/script`, with which a test makes the daemon misbehave. */
  readonly scriptable?: boolean;
  /** De-duplicates by the `Idempotency-Key` header too, which B does not read. */
  readonly dedupeHeader?: boolean;
  /** A whole key (`sig_sk_…`) that is an administrator from the start: team mode's first key. */
  readonly adminKey?: string;
  /** Keys that exist from the start. */
  readonly keys?: readonly (KeySpec & { readonly key: string })[];
  /** A Signet workspace whose AGENTS.md & co. session-start composes. */
  readonly workspace?: string;
  /** Identity texts where there is no workspace. */
  readonly identity?: Partial<IdentityTexts>;
  /** Things that a prompt may name, with what is known of each. */
  readonly entities?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970; tests move it. */
  readonly clock?: () => number;
  /** What the inspector shows as the table of harnesses and what each supports. */
  readonly matrix?: Matrix;
  /** How many requests stay in memory for the inspector. */
  readonly keep?: number;
}

/** What each harness carries of Signet; harness descriptors fit as they are. */
export type Matrix = readonly {
  readonly id: string;
  readonly displayName?: string;
  readonly fidelity: Readonly<Record<string, "yes" | { readonly partly: string } | { readonly no: string }>>;
}[];
