import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import type { Store } from "./store.ts";
import { text } from "../json.ts";

export const ROLES = ["admin", "operator", "agent", "readonly"] as const;
export type Role = (typeof ROLES)[number];

export const PERMISSIONS = [
  "remember",
  "recall",
  "modify",
  "forget",
  "recover",
  "admin",
  "documents",
  "connectors",
  "diagnostics",
  "analytics",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ROLE_PERMISSIONS: { readonly [R in Role]: readonly Permission[] } = {
  admin: PERMISSIONS,
  operator: PERMISSIONS.filter((permission) => permission !== "admin"),
  agent: ["remember", "recall", "modify", "forget", "recover", "documents"],
  readonly: ["recall"],
};

/** The default permissions of a connector key. */
const CONNECTOR_DEFAULT: readonly Permission[] = ["recall", "remember", "documents"];

export interface KeySpec {
  readonly name: string;
  readonly role?: Role;
  readonly scope?: { readonly agent?: string; readonly project?: string; readonly user?: string };
  /** Empty means all that the role has. */
  readonly permissions?: readonly Permission[];
  readonly connector?: string | null;
  readonly harness?: string | null;
  readonly agentId?: string | null;
  readonly allowedProjects?: readonly string[];
  readonly expiresAt?: string | null;
}

export interface ApiKey extends KeySpec {
  readonly id: string;
  /** 12 hex digits, the part of the key after `sig_sk_`: identifies it without revealing it. */
  readonly prefix: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

export type KeyCheck =
  | { readonly ok: true; readonly key: ApiKey }
  | { readonly ok: false; readonly error: string };

const SHAPE = /^sig_sk_([0-9a-f]{12})_[A-Za-z0-9_-]{16,}$/;

/** Reports whether a string has the format of an API key. */
export function isKey(token: string): boolean {
  return SHAPE.test(token);
}

export function looksLikeKey(token: string): boolean {
  return token.startsWith("sig_sk_");
}

/** Generates an API key. */
export function newKey(): string {
  return `sig_sk_${randomBytes(6).toString("hex")}_${randomBytes(32).toString("base64url")}`;
}

export class Keys {
  readonly #store: Store;
  readonly #clock: () => number;

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  #hash(key: string): Buffer {
    return createHmac("sha256", this.#store.pepper).update(key).digest();
  }

  /** Stores a key. This is the only place that returns the key itself. */
  create(spec: KeySpec, key: string = newKey()): ApiKey & { readonly key: string } {
    const prefix = SHAPE.exec(key)?.[1];
    if (prefix === undefined) {
      throw new Error("An API key must have the form sig_sk_<12 hex digits>_<secret>.");
    }
    const full: KeySpec = {
      ...spec,
      role: spec.role ?? "agent",
      harness: spec.harness ?? spec.connector,
      permissions: spec.permissions ?? (spec.connector === undefined ? [] : CONNECTOR_DEFAULT),
    };
    this.#store.sql(
      `INSERT INTO api_keys (id, prefix, hash, spec, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (prefix) DO UPDATE SET hash = excluded.hash, spec = excluded.spec`,
    ).run(
      `key_${randomBytes(12).toString("base64url")}`,
      prefix,
      this.#hash(key),
      JSON.stringify(full),
      new Date(this.#clock()).toISOString(),
    );
    const stored = this.list().find((apiKey) => apiKey.prefix === prefix);
    if (stored === undefined) throw new Error(`The key ${prefix} was not stored.`);
    return { ...stored, key };
  }

  list(): ApiKey[] {
    return this.#store.sql("SELECT * FROM api_keys ORDER BY created_at, id").all().map(toKey);
  }

  revoke(id: string): ApiKey | undefined {
    this.#store.sql("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?")
      .run(new Date(this.#clock()).toISOString(), id);
    return this.list().find((key) => key.id === id);
  }

  check(token: string): KeyCheck {
    const prefix = SHAPE.exec(token)?.[1];
    const row = prefix === undefined
      ? undefined
      : this.#store.sql("SELECT * FROM api_keys WHERE prefix = ?").get(prefix);
    const given = this.#hash(token);
    // An unknown prefix costs the same hash and comparison as a wrong secret.
    const stored = row?.hash instanceof Uint8Array ? Buffer.from(row.hash) : this.#hash("unknown");
    const same = timingSafeEqual(given, stored);
    if (row === undefined || !same) return { ok: false, error: "invalid api key" };
    const key = toKey(row);
    if (key.revokedAt !== null) return { ok: false, error: "api key revoked" };
    const now = this.#clock();
    if (key.expiresAt && Date.parse(key.expiresAt) <= now) return { ok: false, error: "api key expired" };
    // Once a minute is precise enough, and avoids a write per request.
    if (key.lastUsedAt === null || now - Date.parse(key.lastUsedAt) >= 60_000) {
      this.#store.sql("UPDATE api_keys SET last_used_at = ? WHERE id = ?")
        .run(new Date(now).toISOString(), key.id);
    }
    return { ok: true, key };
  }
}

function toKey(row: Record<string, unknown>): ApiKey {
  const spec: KeySpec = JSON.parse(text(row.spec) ?? "{}");
  return {
    id: text(row.id) ?? "",
    prefix: text(row.prefix) ?? "",
    name: spec.name,
    role: spec.role ?? "agent",
    scope: spec.scope ?? {},
    permissions: spec.permissions ?? [],
    connector: spec.connector ?? null,
    harness: spec.harness ?? null,
    agentId: spec.agentId ?? null,
    allowedProjects: spec.allowedProjects ?? [],
    expiresAt: spec.expiresAt ?? null,
    createdAt: text(row.created_at) ?? "",
    lastUsedAt: text(row.last_used_at) ?? null,
    revokedAt: text(row.revoked_at) ?? null,
  };
}
