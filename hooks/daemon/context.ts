import type { HookEvent } from "../event.ts";
import { type GitFacts, gitFacts } from "./git.ts";
import { HOST } from "../state/paths.ts";
import type { Settings } from "./settings.ts";
import type { ProjectFacts, RequestContext } from "./wire.ts";

/** Describes the caller. A project is identified by its git remote; paths are only hints. */
export async function requestContext(
  settings: Settings,
  event: Pick<HookEvent, "cwd" | "sessionKey">,
  find: FindGit = gitFacts,
): Promise<RequestContext> {
  return {
    harness: settings.harness,
    connectorId: settings.connectorId,
    agentId: settings.agentId,
    machineId: settings.machineId,
    sessionKey: event.sessionKey,
    workspace: HOST.env("SIGNET_WORKSPACE_NAME") || undefined,
    project: event.cwd === "" ? undefined : await projectFacts(event.cwd, find),
  };
}

type FindGit = (cwd: string) => GitFacts | undefined | Promise<GitFacts | undefined>;

/** The project that a session in this directory belongs to. */
export async function projectFacts(cwd: string, find: FindGit = gitFacts): Promise<ProjectFacts> {
  const git = await find(cwd);
  return { cwd, gitRemote: git?.remote, gitRoot: git?.root, fingerprint: fingerprint(git?.root ?? cwd) };
}

/**
 * 16 hex digits by which two sessions in one directory can be matched. Two FNV-1a
 * hashes: it need not be secure, and the first use of WebCrypto costs 0.3 ms.
 */
function fingerprint(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x050c5d1f;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x01000193);
  }
  return hex(a) + hex(b);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
