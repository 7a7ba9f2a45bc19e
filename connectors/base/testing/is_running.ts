/**
 * Whether a process runs, on Linux. One that has ended stays in the list until its parent
 * asks how it ended; in a container without an init, that is for ever.
 */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}
