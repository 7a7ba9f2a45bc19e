import { createHmac, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import { isObject, text } from "../json.ts";
import { type KeySpec, type Role, ROLES } from "./keys.ts";
import type { Store } from "./store.ts";

export interface Claims {
  readonly sub: string;
  readonly role: Role;
  readonly scope: NonNullable<KeySpec["scope"]>;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
}

export type TokenCheck =
  | { readonly ok: true; readonly claims: Claims }
  | { readonly ok: false; readonly error: string };

/** The scope in a request body or a token. */
export function readScope(value: unknown): Claims["scope"] {
  const scope = isObject(value) ? value : {};
  return { agent: text(scope.agent), project: text(scope.project), user: text(scope.user) };
}

function readClaims(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    if (!isObject(value)) return undefined;
    const role = ROLES.find((known) => known === value.role);
    const { sub, iat, exp } = value;
    if (role === undefined || typeof sub !== "string" || typeof iat !== "number" || typeof exp !== "number") {
      return undefined;
    }
    return { sub, role, scope: readScope(value.scope), iat, exp };
  } catch {
    return undefined;
  }
}

/** Signed tokens, `<claims>.<signature>`: what a login or an admin gives out. None is stored. */
export class Tokens {
  readonly #store: Store;
  readonly #clock: () => number;

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  sign(
    claims: Pick<Claims, "sub" | "role" | "scope">,
    ttlSeconds: number,
  ): { token: string; expiresAt: string } {
    const now = this.#clock();
    const iat = Math.floor(now / 1000);
    const part = Buffer.from(JSON.stringify({ ...claims, iat, exp: iat + ttlSeconds })).toString("base64url");
    return {
      token: `${part}.${this.#signature(part).toString("base64url")}`,
      expiresAt: new Date(now + ttlSeconds * 1000).toISOString(),
    };
  }

  check(token: string): TokenCheck {
    const [part, signature, ...rest] = token.split(".");
    if (part === undefined || signature === undefined || rest.length > 0) {
      return { ok: false, error: "malformed token" };
    }
    const given = Buffer.from(signature, "base64url");
    const wanted = this.#signature(part);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
      return { ok: false, error: "invalid signature" };
    }
    const claims = readClaims(part);
    if (claims === undefined) return { ok: false, error: "malformed token" };
    return claims.exp * 1000 <= this.#clock() ? { ok: false, error: "token expired" } : { ok: true, claims };
  }

  #signature(part: string): Buffer {
    return createHmac("sha256", this.#store.pepper).update(`token:${part}`).digest();
  }
}
