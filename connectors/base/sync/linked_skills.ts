import { join } from "../../../hooks/state/paths.ts";
import type { Harness, Site } from "../harness.ts";

/**
 * Where the workspace's skills are linked to: nowhere for a harness that reads
 * `~/.agents/skills` by itself where that is the workspace, or every skill
 * would be there twice.
 */
export function linkedSkills(
  harness: Pick<Harness, "readsAgentSkills" | "skillsDir">,
  site: Site,
): string | undefined {
  const workspace = site.workspace?.replace(/[\\/]+$/, "");
  const reads = harness.readsAgentSkills === true && workspace === join(site.host, site.home, ".agents");
  return reads ? undefined : harness.skillsDir(site);
}
