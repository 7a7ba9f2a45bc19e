import type { ApiKey } from "../store/keys.ts";

/** Who asks. */
export interface Principal {
  readonly key?: ApiKey;
  /** No credential, and none needed: local mode, or a loopback peer in hybrid mode. */
  readonly trusted: boolean;
  /** Why the credential that was shown does not count. */
  readonly error?: string;
}

/** The projects that a key is kept to; undefined if it is not. */
export function allowedProjects(principal: Principal): readonly string[] | undefined {
  const { key } = principal;
  if (key === undefined || key.role === "admin") return undefined;
  const listed = [...(key.allowedProjects ?? []), ...(key.scope?.project ? [key.scope.project] : [])];
  return listed.length === 0 ? undefined : listed.map((project) => project.replace(/\/+$/, ""));
}

/** The agent that a key is bound to. B needs `scope.agent`; here `agentId` alone binds too. */
export function boundAgent(principal: Principal): string | undefined {
  const { key } = principal;
  return key === undefined || key.role === "admin" ? undefined : key.scope?.agent ?? key.agentId;
}
