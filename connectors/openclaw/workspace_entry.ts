import type { Edit } from "../base/edit/edit.ts";
import type { Site } from "../base/harness.ts";

/** The Signet workspace as the agents' workspace: by flag, or where OpenClaw has none yet. */
export function workspaceEntry(site: Site): Edit[] {
  const path = ["agents", "defaults", "workspace"];
  if (!site.workspace) return [];
  if (site.flags.setWorkspace) {
    const value = site.workspace;
    return [{ kind: "entry", path, value, replaces: true, owns: (present) => present === value }];
  }
  // The default workspace may be in use even if the config does not name it.
  return site.exists(site.path("workspace")) ? [] : [{ kind: "default", path, value: site.workspace }];
}
