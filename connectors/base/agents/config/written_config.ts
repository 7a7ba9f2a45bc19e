import { makeAgentsDir, openAgentsDir } from "../../../../hooks/agents/dir.ts";
import { userConfigPath } from "../../../../hooks/agents/config/config_files.ts";
import { join, parentDir, type Surroundings } from "../../../../hooks/state/paths.ts";
import { readStateObject, writeNote } from "../../../../hooks/state/state_file.ts";
import { digest } from "../../fs/digest.ts";

const NOTE = "agents_yaml.json";

/**
 * Notes the text that our commands wrote, if nobody else has written to the file:
 * uninstall removes such a file, and no other.
 */
export async function noteWritten(
  host: Surroundings,
  { before, after, madeDir }: { before?: Uint8Array; after: Uint8Array; madeDir: boolean },
): Promise<void> {
  const dir = makeAgentsDir(host);
  const note = readStateObject(join(host, dir, NOTE));
  if (before !== undefined && note?.digest !== await digest(before)) return;
  const made = madeDir || note?.madeDir === true;
  writeNote(join(host, dir, NOTE), JSON.stringify({ digest: await digest(after), madeDir: made }));
}

/** The user's `agents.yaml` at an uninstall. */
export interface LeftConfig {
  readonly path: string;
  /** Only our commands have written it. */
  readonly isOurs: boolean;
  /** The directory that was created for it. */
  readonly madeDir?: string;
}

/** Undefined if there is no such file. */
export async function leftConfig(host: Surroundings): Promise<LeftConfig | undefined> {
  const path = userConfigPath(host);
  const dir = openAgentsDir(host);
  if (path === undefined) return undefined;
  try {
    const { isFile } = Deno.lstatSync(path);
    const note = dir === undefined ? undefined : readStateObject(join(host, dir, NOTE));
    const isOurs = isFile && note?.digest === await digest(await Deno.readFile(path));
    return { path, isOurs, madeDir: note?.madeDir === true ? parentDir(path) : undefined };
  } catch {
    return undefined;
  }
}
