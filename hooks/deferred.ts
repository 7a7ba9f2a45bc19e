/**
 * What most hooks do without, behind one dynamic import: the build makes it one
 * file, which is parsed only when it is needed. Several would share pieces, and
 * each piece would be one more file to load at every prompt.
 */
export { drainMain } from "./spool/drain_main.ts";
export { onCompactionComplete, onSessionEnd } from "./on/session_end.ts";
export { onCheckpoint, onPreCompaction } from "./on/turn.ts";
