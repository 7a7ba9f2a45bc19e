/**
 * `off`: locks are ignored. `on`: locks that were asked for are enforced. `auto`:
 * an edit also takes a lock, for two minutes or until the end of the turn.
 * `strict`: like `on`, and if locks cannot be checked, nothing is edited.
 */
export type LockMode = "off" | "on" | "auto" | "strict";
export const LOCK_MODES: readonly LockMode[] = ["off", "on", "auto", "strict"];
