import { makeAgentsDir, openAgentsDir } from "../../../../hooks/agents/dir.ts";
import { userConfigPath } from "../../../../hooks/agents/config/has_user_config.ts";
import { join, type Surroundings } from "../../../../hooks/state/paths.ts";
import { readStateObject, writeNote } from "../../../../hooks/state/state_file.ts";
import { digest } from "../../fs/digest.ts";

/** In the directory of the mesh. */
export const CONFIG_NOTE = "agents_yaml.json";

/**
 * Notes the text that our commands wrote, if nobody else has written to the file:
 * uninstall removes such a file, and no other.
 */
export async function noteWritten(
  host: Surroundings,
  { before, after }: { before?: Uint8Array; after: Uint8Array },
): Promise<void> {
  const dir = makeAgentsDir(host);
  const note = readStateObject(join(host, dir, CONFIG_NOTE));
  if (before !== undefined && note?.digest !== await digest(before)) return;
  writeNote(join(host, dir, CONFIG_NOTE), JSON.stringify({ digest: await digest(after) }));
}

/** The user's `agents.yaml` at an uninstall. */
export interface LeftConfig {
  readonly path: string;
  /** Only our commands have written it. */
  readonly isOurs: boolean;
}

/** Undefined if there is no such file. */
export async function leftConfig(host: Surroundings): Promise<LeftConfig | undefined> {
  const path = userConfigPath(host);
  const dir = openAgentsDir(host);
  if (path === undefined) return undefined;
  try {
    const { isFile } = Deno.lstatSync(path);
    const note = dir === undefined ? undefined : readStateObject(join(host, dir, CONFIG_NOTE));
    const isOurs = isFile && note?.digest === await digest(await Deno.readFile(path));
    return { path, isOurs };
  } catch {
    return undefined;
  }
}
