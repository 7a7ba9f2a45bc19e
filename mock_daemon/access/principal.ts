import type { ApiKey } from "../store/keys.ts";

/** Who made a request. */
export interface Principal {
  readonly key?: ApiKey;
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

/** The agent that a key is bound to. The real daemon needs `scope.agent`; here `agentId` is enough. */
export function boundAgent(principal: Principal): string | undefined {
  const { key } = principal;
  return key === undefined || key.role === "admin" ? undefined : key.scope?.agent ?? key.agentId;
}
