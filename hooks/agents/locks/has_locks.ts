import { mayContain } from "../../state/paths.ts";

/**
 * Whether anybody has ever locked a file on this machine. Without this directory a
 * hook need not load the code of locks. If it cannot be read, that code says why.
 */
export function hasLocks(agentsDir: string): boolean {
  return mayContain(agentsDir, "locks");
}
