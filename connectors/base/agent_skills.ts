import { join } from "../../hooks/paths.ts";
import type { Site } from "./harness.ts";

/**
 * The directory for skills of a harness that reads `~/.agents/skills` by itself:
 * none where that is the workspace, or every skill would be there twice.
 */
export function linkedSkills(site: Site, configDir: string): string | undefined {
  const read = join(site.host, site.home, ".agents");
  return site.workspace === read ? undefined : join(site.host, configDir, "skills");
}
