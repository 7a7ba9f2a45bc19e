import { mayContain } from "../../state/paths.ts";
import { sessionName } from "../dir.ts";
import { hasFiles } from "../messages/waiting.ts";

/**
 * Whether anybody has ever locked a file on this machine. Without this directory a
 * hook need not load the code of locks. If it cannot be read, that code says why.
 */
export function hasLocks(agentsDir: string): boolean {
  return mayContain(agentsDir, "locks");
}

/** Whether a session may hold locks, whose leases it renews: it has a directory with a note for each. */
export function mayHoldLocks(agentsDir: string, harness: string, key: string): boolean {
  if (!hasLocks(agentsDir)) return false;
  const name = sessionName(harness, key);
  return ["locks", "locks/shared"].some((locks) => hasFiles(`${agentsDir}/${locks}/held/${name}`));
}
