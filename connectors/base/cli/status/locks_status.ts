import { UNCHECKED } from "../../../../hooks/agents/locks/not_checked.ts";
import { readLog } from "../../../../hooks/report.ts";
import { stateDir, type Surroundings } from "../../../../hooks/state/paths.ts";
import { lockMode } from "../../agents/locks/lock_mode.ts";
import type { Harness } from "../../harness.ts";

/** How far a harness honours the locks of other agents. */
export function locksText({ agents, displayName }: Pick<Harness, "agents" | "displayName">): string {
  if (agents?.tools !== undefined) {
    return "enforced for its editing tools and plain shell writes, noticed afterwards for other commands";
  }
  return `advisory: nothing checks what ${displayName} edits`;
}

/** The mode of the locks, and how many edits went ahead because the locks could not be checked. */
export function locksStatus({ id, agents }: Pick<Harness, "id" | "agents">, host: Surroundings) {
  const dir = stateDir(id, host);
  const unchecked = (dir === undefined ? [] : readLog(dir)).filter(({ outcome }) => outcome === UNCHECKED);
  return {
    mode: lockMode(undefined, host),
    enforced: agents?.tools !== undefined,
    unchecked: unchecked.length,
    why: unchecked.at(-1)?.detail,
  };
}

/** The same as part of a line: `file locks on`. */
export function locksLine(status: ReturnType<typeof locksStatus>): string {
  if (!status.enforced) return "file locks advisory";
  return `file locks ${status.mode}`;
}

/** A sentence if edits went ahead without a check. */
export function uncheckedWarning({ unchecked, why }: ReturnType<typeof locksStatus>): string | undefined {
  if (unchecked === 0) return undefined;
  const edits = unchecked === 1 ? "1 edit went ahead" : `${unchecked} edits went ahead`;
  return `${edits} although the file locks could not be checked${why === undefined ? "" : `: ${why}`}.`;
}
