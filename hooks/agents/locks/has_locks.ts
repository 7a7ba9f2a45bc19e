/**
 * Whether anybody has ever locked a file on this machine. Without this directory a
 * hook need not load the code of locks. If it cannot be read, that code says why.
 */
export function hasLocks(agentsDir: string): boolean {
  try {
    Deno.lstatSync(`${agentsDir}/locks`);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}
