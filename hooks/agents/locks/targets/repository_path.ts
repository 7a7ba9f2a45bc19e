import "../common.ts";
import { gitFacts } from "../../../daemon/git.ts";
import { parentDir } from "../../../state/paths.ts";
import { plainRemote, type SharedPath } from "./shared_path.ts";
import { isWithin } from "./target_path.ts";

/** Where a file is in its repository; undefined without a repository or a remote. */
export async function repositoryPath(real: string): Promise<SharedPath | undefined> {
  const facts = await gitFacts(parentDir(real)) ?? await gitFacts(real);
  if (facts?.remote === undefined) return undefined;
  // The facts were read for a real path, so its root is real too.
  if (!isWithin(real, facts.root)) return undefined;
  return { remote: plainRemote(facts.remote), path: real.slice(facts.root.length + 1) };
}
