import type { KeySpec, Role } from "../store/keys.ts";

/** A valid API key or token. */
export interface Credential extends KeySpec {
  readonly kind: "api-key" | "token";
  /** Identifies the caller in rate limits and in `whoami`. */
  readonly sub: string;
  readonly role: Role;
  /** The agent that the credential is bound to. */
  readonly boundAgent?: string;
}

/** Who made a request. */
export interface Principal {
  readonly key?: Credential;
  /** No credential, and none needed: local mode, or a loopback peer in hybrid mode. */
  readonly trusted: boolean;
  /** Why the credential was rejected. */
  readonly error?: string;
}

/** The projects that a key is limited to; undefined if it is not limited. */
export function allowedProjects(principal: Principal): readonly string[] | undefined {
  const { key } = principal;
  if (key === undefined || key.role === "admin") return undefined;
  const listed = [...(key.allowedProjects ?? []), ...(key.scope?.project ? [key.scope.project] : [])];
  return listed.length === 0 ? undefined : listed.map((project) => project.replace(/\/+$/, ""));
}

/** The agent that a key is bound to. An admin may act for any agent. */
export function boundAgent(principal: Principal): string | undefined {
  const { key } = principal;
  return key === undefined || key.role === "admin" ? undefined : key.boundAgent;
}
