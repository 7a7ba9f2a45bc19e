/** What hooks leave in a state directory, besides the spool. The ledger and backups are the plan's to remove. */
const NOTES = /^(hook\.log(\.\d+)?|breaker\.json|backoff\.json|drain\.(lock|json|wanted|waiter)|.*\.tmp)$/;

/**
 * Removes what hooks wrote: log, breaker, session notes, and the spool unless
 * something in it still waits. Gives the paths that are gone.
 */
export async function clearState(dir: string, options: { keepSpool: boolean }): Promise<string[]> {
  const gone: string[] = [];
  const drop = async (name: string) => {
    await Deno.remove(`${dir}/${name}`, { recursive: true }).catch(() => {});
    gone.push(`${dir}/${name}`);
  };
  for (const entry of await listed(dir)) {
    if (entry.name === "sessions" || (entry.name === "spool" && !options.keepSpool)) await drop(entry.name);
    else if (entry.isFile && NOTES.test(entry.name)) await drop(entry.name);
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
