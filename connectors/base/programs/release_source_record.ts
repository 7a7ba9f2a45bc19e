import { makeStateDir } from "../../../hooks/state/made_dirs.ts";
import { stateDir, type Surroundings } from "../../../hooks/state/paths.ts";
import { atomicWrite } from "../fs/atomic_write.ts";
import { dirOf } from "../fs/file_path.ts";
import { realOs } from "../fs/os.ts";
import { decode, encode } from "../fs/text_bytes.ts";

/** Beside the state directories of the harnesses; the last uninstall removes it (see install/apply/lock.ts). */
export const SOURCE_RECORD = "release-source";

/** `~/.local/state/signet/release-source`: the URL that the programs came from. install.sh writes it too. */
function recordPath(host: Surroundings): string | undefined {
  return stateDir(SOURCE_RECORD, host);
}

/** The URL that the programs came from; undefined if it is not known. */
export async function recordedSource(host: Surroundings): Promise<string | undefined> {
  const path = recordPath(host);
  const bytes = path === undefined ? undefined : await realOs.read(path).catch(() => undefined);
  return (bytes && decode(bytes)?.trim()) || undefined;
}

/** Records the URL, for the next upgrade. */
export async function recordSource(host: Surroundings, url: string): Promise<void> {
  const path = recordPath(host);
  if (path === undefined) return;
  makeStateDir(dirOf(path));
  await atomicWrite(realOs, path, encode(`${url}\n`), 0o644);
}
