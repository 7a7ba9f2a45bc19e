/** The plan removes the ledger and the backups. */
const PLAN_FILES = ["ledger.json", "backups"];

/**
 * Removes what hooks and syncs left in a state directory: log, breaker, session
 * notes, and the spool unless `keepSpool`. Returns the removed paths. Only Signet
 * writes to the directory, so unknown files are from another version.
 */
export async function clearState(dir: string, options: { keepSpool: boolean }): Promise<string[]> {
  const kept = options.keepSpool ? [...PLAN_FILES, "spool"] : PLAN_FILES;
  const removed: string[] = [];
  for (const { name } of await listed(dir)) {
    if (kept.includes(name)) continue;
    await Deno.remove(`${dir}/${name}`, { recursive: true }).catch(() => {});
    removed.push(`${dir}/${name}`);
  }
  return removed;
}

async function listed(dir: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(dir));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
