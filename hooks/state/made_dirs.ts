import { configDir, isDirectory, parentDir, stateDir, type Surroundings } from "./paths.ts";

/** Only this user may read what is in them. */
const PRIVATE_DIR = 0o700;

/**
 * A list in `~/.local/state/signet`: directories that were created for the files of Signet,
 * such as `~/.config`. The last uninstall removes them if they are empty; see install/apply/lock.ts.
 */
export const MADE_DIRS = "install.dirs";

/** Creates a directory with those above it, and lists what is outside of Signet's directories. */
export function makeStateDir(dir: string): void {
  const made = makeDirs(dir);
  const signet = /^[^]*[\\/]signet(?=[\\/]|$)/.exec(dir)?.[0];
  // What is in it goes with it.
  if (signet !== undefined) listDirs(signet, made.filter((each) => each.length < signet.length));
}

/** Creates `~/.config/signet` if need be, and lists what it created. */
export function makeConfigDir(host: Surroundings): void {
  const dir = configDir(host);
  const list = stateDir(MADE_DIRS, host);
  if (dir === undefined || list === undefined) throw new Error("HOME is not set.");
  const made = makeDirs(dir);
  if (made.length === 0) return;
  const signet = parentDir(list);
  makeStateDir(signet);
  listDirs(signet, made);
}

/** Appends a line: processes that create directories at the same time do not lose each other's. */
function listDirs(signet: string, dirs: readonly string[]): void {
  if (dirs.length === 0) return;
  const line = JSON.stringify({ at: signet, dirs }) + "\n";
  Deno.writeTextFileSync(`${signet}/${MADE_DIRS}`, line, { append: true, mode: 0o600 });
}

/**
 * Returns the directories that this process created, the outermost first. Tries a few times,
 * because another process may remove directories, and not for ever, because some file systems
 * (/proc, automounts) answer that a directory below an existing one cannot be found.
 */
function makeDirs(dir: string, tries = 3): string[] {
  if (isDirectory(dir)) return [];
  try {
    Deno.mkdirSync(dir, { mode: PRIVATE_DIR });
    return [dir];
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists && isDirectory(dir)) return [];
    const parent = parentDir(dir);
    if (!(error instanceof Deno.errors.NotFound) || parent === "" || tries === 0) throw error;
    const above = makeDirs(parent);
    // An uninstall may have removed the parent again. Then there is nothing to create.
    if (above.length === 0 && !isDirectory(parent)) throw error;
    return [...above, ...makeDirs(dir, tries - 1)];
  }
}
