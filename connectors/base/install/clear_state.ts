/** The ledger and the copies of users' files are the plan's to remove. */
const OF_THE_PLAN = ["ledger.json", "backups"];

/**
 * Removes what hooks and syncs left in a state directory: log, breaker, session
 * notes, and the spool unless something in it still waits. Gives the paths that
 * are gone. The directory is ours alone, so that what we do not know is an older
 * or newer version's.
 */
export async function clearState(dir: string, options: { keepSpool: boolean }): Promise<string[]> {
  const kept = options.keepSpool ? [...OF_THE_PLAN, "spool"] : OF_THE_PLAN;
  const gone: string[] = [];
  for (const { name } of await listed(dir)) {
    if (kept.includes(name)) continue;
    await Deno.remove(`${dir}/${name}`, { recursive: true }).catch(() => {});
    gone.push(`${dir}/${name}`);
  }
  return gone;
}

async function listed(dir: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(dir));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
