import { join } from "../../../hooks/state/paths.ts";
import type { Harness, Site } from "../harness.ts";

/**
 * The directory for links to the workspace's skills. Undefined for a harness that
 * reads `~/.agents/skills` itself if that is the workspace: every skill would
 * appear twice.
 */
export function linkedSkills(
  harness: Pick<Harness, "readsAgentSkills" | "skillsDir">,
  site: Site,
): string | undefined {
  const workspace = site.workspace?.replace(/[\\/]+$/, "");
  const { readsAgentSkills } = harness;
  const able = typeof readsAgentSkills === "function" ? readsAgentSkills(site) : readsAgentSkills === true;
  const reads = able && workspace === join(site.host, site.home, ".agents");
  return reads ? undefined : harness.skillsDir(site);
}
