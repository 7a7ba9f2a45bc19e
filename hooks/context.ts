import type { HookEvent } from "./event.ts";
import { type GitFacts, gitFacts } from "./git.ts";
import { HOST } from "./paths.ts";
import type { Settings } from "./settings.ts";
import type { RequestContext } from "./wire.ts";

/** Who calls and from where. Paths are evidence; the remote is identity. */
export async function requestContext(
  settings: Settings,
  event: Pick<HookEvent, "cwd" | "sessionKey">,
  find: (cwd: string) => Promise<GitFacts | undefined> = gitFacts,
): Promise<RequestContext> {
  const git = event.cwd === "" ? undefined : await find(event.cwd);
  return {
    harness: settings.harness,
    connectorId: settings.connectorId,
    agentId: settings.agentId,
    machineId: settings.machineId,
    sessionKey: event.sessionKey,
    workspace: HOST.env("SIGNET_WORKSPACE_NAME") || undefined,
    project: event.cwd === "" ? undefined : {
      cwd: event.cwd,
      gitRemote: git?.remote,
      gitRoot: git?.root,
      fingerprint: await fingerprint(git?.root ?? event.cwd),
    },
  };
}

/** 16 hex digits of SHA-256: says whether two sessions were in one place. */
async function fingerprint(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...digest.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
